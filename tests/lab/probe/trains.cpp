// SPDX-License-Identifier: BSD-3-Clause
// Sends trains of UDP packets from one host of a lab to another and says how long they took.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr int header_bytes = 14 + 20 + 8; ///< Ethernet, IP and UDP headers of a packet

int fail(const char* what) {
    std::perror(what);
    std::exit(1);
}

double seconds(const timespec& at) {
    return static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec) * 1e-9;
}

/// At the start of every packet. The one after a train has no `packets`, but says when the first
/// packet of the train left the host, by the kernel's CLOCK_REALTIME, which all hosts share.
struct Stamp {
    std::uint32_t train, packets, frame_bytes;
    timespec left;
};

int udp_socket(const char* host, const char* port) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_DGRAM;
    hints.ai_flags = host ? 0 : AI_PASSIVE;
    addrinfo* at = nullptr;
    if (getaddrinfo(host, port, &hints, &at) != 0)
        return fail("getaddrinfo");
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if ((host ? connect : bind)(fd, at->ai_addr, at->ai_addrlen) != 0)
        return fail(host ? "connect" : "bind");
    freeaddrinfo(at);
    return fd;
}

/// When the kernel sent or got the packet, by CLOCK_REALTIME; this process may have waited for a
/// processor.
timespec kernel_time(msghdr& message, int type) {
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == type) {
            timespec at;
            std::memcpy(&at, CMSG_DATA(part), sizeof at);
            return at;
        }
    std::exit(fail("no timestamp"));
}

/// Waits for when the first of the packets sent last left the host; forgets about the others.
timespec time_left(int fd, std::uint32_t packets) {
    timespec first{};
    for (std::uint32_t i = 0; i < packets; ++i) {
        pollfd errors{fd, 0, 0};
        poll(&errors, 1, 1000);
        char control[512];
        msghdr message{};
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        if (recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
            std::exit(fail("no time of sending"));
        if (i == 0)
            first = kernel_time(message, SCM_TIMESTAMPING);
    }
    return first;
}

void send_train(int fd, Stamp stamp) {
    std::vector<char> packet(stamp.frame_bytes - header_bytes);
    std::memcpy(packet.data(), &stamp, sizeof stamp);
    iovec part{packet.data(), packet.size()};
    std::vector<mmsghdr> messages(stamp.packets);
    for (auto& message : messages) {
        message.msg_hdr.msg_iov = &part;
        message.msg_hdr.msg_iovlen = 1;
    }
    sendmmsg(fd, messages.data(), stamp.packets, 0);
    stamp.left = time_left(fd, stamp.packets);
    stamp.packets = 0;
    if (send(fd, &stamp, sizeof stamp, 0) < 0)
        fail("send");
    time_left(fd, 1);
}

/// Trains of each shape, "PACKETSxBYTES" with the bytes of a frame, in turn, `gap_ms` apart.
int source(const char* host, const char* port, int trains, int gap_ms, char** shapes) {
    const int fd = udp_socket(host, port);
    const int times =
        SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_TSONLY;
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &times, sizeof times);
    std::uint32_t number = 0;
    for (int i = 0; i < trains; ++i)
        for (char** shape = shapes; *shape; ++shape) {
            unsigned packets = 0, frame_bytes = 0;
            if (std::sscanf(*shape, "%ux%u", &packets, &frame_bytes) != 2 ||
                frame_bytes < header_bytes + sizeof(Stamp))
                return fail(*shape);
            send_train(fd, {++number, packets, frame_bytes, {}});
            std::this_thread::sleep_for(std::chrono::milliseconds(gap_ms));
        }
    return 0;
}

/// A line for each shape: packets, frame bytes, trains, and least, 10 %, median and 90 % of the
/// seconds from when the first packet left its host to the last one's arrival, once there is
/// silence.
int sink(const char* port) {
    const int fd = udp_socket(nullptr, port);
    const int yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> times_s;
    Stamp last{};
    std::uint32_t seen = 0;
    timespec arrived{};
    for (;;) {
        char packet[2048], control[256];
        iovec part{packet, sizeof packet};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        if (recvmsg(fd, &message, 0) < static_cast<ssize_t>(sizeof(Stamp)))
            break;
        const timeval silence{1, 0};
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
        Stamp stamp;
        std::memcpy(&stamp, packet, sizeof stamp);
        if (stamp.packets > 0) {
            seen = stamp.train == last.train ? seen + 1 : 1;
            arrived = kernel_time(message, SCM_TIMESTAMPNS);
            last = stamp;
        } else if (stamp.train == last.train && seen == last.packets) {
            times_s[{last.frame_bytes, last.packets}].push_back(seconds(arrived) -
                                                                seconds(stamp.left));
        }
    }
    for (auto& [shape, times] : times_s) {
        std::sort(times.begin(), times.end());
        const auto at = [&](double share) {
            return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
        };
        std::printf("%u %u %zu %.7f %.7f %.7f %.7f\n", shape.second, shape.first, times.size(),
                    at(0), at(0.1), at(0.5), at(0.9));
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::string role = argc > 1 ? argv[1] : "";
    if (role == "sink" && argc == 3)
        return sink(argv[2]);
    if (role == "source" && argc >= 7)
        return source(argv[2], argv[3], std::atoi(argv[4]), std::atoi(argv[5]), argv + 6);
    std::fprintf(stderr,
                 "lab_trains sink PORT | source HOST PORT TRAINS GAP_MS PACKETSxBYTES...\n");
    return 2;
}

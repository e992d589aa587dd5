// SPDX-License-Identifier: BSD-3-Clause
// What the tests run on the hosts of a lab: TCP transfers and exchanges, delays, longest frames.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

int fail(const char* what) {
    std::perror(what);
    std::exit(1);
}

using Address = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Address resolve(const char* host, const char* port, int type) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = type;
    hints.ai_flags = host ? 0 : AI_PASSIVE;
    addrinfo* found = nullptr;
    if (getaddrinfo(host, port, &hints, &found) != 0)
        fail("getaddrinfo");
    return {found, freeaddrinfo};
}

int bound(const char* port, int type) {
    const Address at = resolve(nullptr, port, type);
    const int fd = socket(at->ai_family, type, 0);
    const int yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, at->ai_addr, at->ai_addrlen) != 0)
        fail("bind");
    return fd;
}

int connected(const char* host, const char* port, int type) {
    const Address at = resolve(host, port, type);
    for (int attempt = 0; attempt < 200; ++attempt) {
        const int fd = socket(at->ai_family, type, 0);
        if (connect(fd, at->ai_addr, at->ai_addrlen) == 0)
            return fd;
        close(fd);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return fail("connect");
}

int accepted(const char* port) {
    const int listening = bound(port, SOCK_STREAM);
    listen(listening, 16);
    return accept(listening, nullptr, nullptr);
}

/// Prints the goodput of `bytes` in bytes per second, from before the source may begin: a delay
/// here makes it less, and nothing makes it more than the network carried.
int tcp_sink(const char* port, std::size_t bytes) {
    const int fd = accepted(port);
    std::vector<char> buffer(1 << 16);
    std::size_t got = 0;
    const double begin_s = now_s();
    const char begin = 0;
    if (write(fd, &begin, 1) != 1)
        return fail("write");
    while (got < bytes) {
        const ssize_t part = read(fd, buffer.data(), buffer.size());
        if (part <= 0)
            return fail("read");
        got += static_cast<std::size_t>(part);
    }
    std::printf("%.1f\n", static_cast<double>(got) / (now_s() - begin_s));
    return 0;
}

int tcp_source(const char* host, const char* port, std::size_t bytes) {
    const int fd = connected(host, port, SOCK_STREAM);
    char begin = 0;
    if (read(fd, &begin, 1) != 1)
        return fail("read");
    const std::vector<char> buffer(1 << 16);
    for (std::size_t left = bytes; left > 0;) {
        const ssize_t part = write(fd, buffer.data(), std::min(left, buffer.size()));
        if (part <= 0)
            return fail("write");
        left -= static_cast<std::size_t>(part);
    }
    return 0;
}

/// Prints the congestion control of a connection.
int tcp_name(int fd) {
    char name[16] = "";
    socklen_t size = sizeof name;
    if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &size) != 0)
        return fail("TCP_CONGESTION");
    std::printf("%.16s\n", name);
    return 0;
}

void receive(int fd, std::vector<char>& message) {
    if (recv(fd, message.data(), message.size(), MSG_WAITALL) !=
        static_cast<ssize_t>(message.size()))
        fail("recv");
}

/// One write a message: whatever does not fit the socket's buffer waits inside the kernel.
void give(int fd, const std::vector<char>& message) {
    if (write(fd, message.data(), message.size()) != static_cast<ssize_t>(message.size()))
        fail("write");
}

/// `count` messages there and back, one at a time.
int exchange(int fd, bool asks, std::size_t count, std::size_t bytes) {
    const int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    std::vector<char> message(bytes);
    for (std::size_t i = 0; i < count; ++i) {
        if (asks)
            give(fd, message);
        receive(fd, message);
        if (!asks)
            give(fd, message);
    }
    return 0;
}

/// Prints the size of the longest Ethernet frame among the next `bytes` bytes on `device`, or among
/// fewer once there is silence: a slow reader misses some. Creates the file `ready` once it
/// listens.
int longest_frame(const char* device, std::size_t bytes, const char* ready) {
    const int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
    sockaddr_ll at{};
    at.sll_family = AF_PACKET;
    at.sll_protocol = htons(ETH_P_ALL);
    at.sll_ifindex = static_cast<int>(if_nametoindex(device));
    if (bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0)
        return fail("bind to a device");
    if (!std::ofstream(ready))
        return fail(ready);
    const timeval silence{1, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
    ssize_t longest = 0;
    for (std::size_t seen = 0; seen < bytes;) {
        const ssize_t size = recv(fd, nullptr, 0, MSG_TRUNC);
        if (size < 0 && errno != EAGAIN)
            return fail("recv");
        if (size < 0 && longest > 1000) // data has passed
            break;
        if (size < 0)
            continue;
        longest = std::max(longest, size);
        seen += static_cast<std::size_t>(size);
    }
    std::printf("longest %zd\n", longest);
    return 0;
}

/// Prints the median one-way delay of `count` small packets, in seconds; hosts share a clock.
int delay_sink(const char* port, std::size_t count) {
    const int fd = bound(port, SOCK_DGRAM);
    std::vector<double> delays;
    double sent_s = 0;
    while (delays.size() < count && read(fd, &sent_s, sizeof sent_s) == sizeof sent_s)
        delays.push_back(now_s() - sent_s);
    std::sort(delays.begin(), delays.end());
    std::printf("%.6f\n", delays.at(delays.size() / 2));
    return 0;
}

int delay_source(const char* host, const char* port, std::size_t count) {
    const int fd = connected(host, port, SOCK_DGRAM);
    // The sink may start later or lose one: send on until nobody listens.
    for (std::size_t i = 0; i < 20 * count; ++i) {
        const double sent_s = now_s();
        if (write(fd, &sent_s, sizeof sent_s) < 0 && i > count)
            break;
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::string role = argc > 1 ? argv[1] : "";
    const auto number = [&](int i) { return static_cast<std::size_t>(std::atoll(argv[i])); };
    if (role == "tcp-sink" && argc == 4)
        return tcp_sink(argv[2], number(3));
    if (role == "tcp-source" && argc == 5)
        return tcp_source(argv[2], argv[3], number(4));
    if (role == "delay-sink" && argc == 4)
        return delay_sink(argv[2], number(3));
    if (role == "delay-source" && argc == 5)
        return delay_source(argv[2], argv[3], number(4));
    if (role == "tcp-name-sink" && argc == 3)
        return tcp_name(accepted(argv[2]));
    if (role == "tcp-name-source" && argc == 4)
        return tcp_name(connected(argv[2], argv[3], SOCK_STREAM));
    if (role == "echo" && argc == 5)
        return exchange(accepted(argv[2]), false, number(3), number(4));
    if (role == "ask" && argc == 6)
        return exchange(connected(argv[2], argv[3], SOCK_STREAM), true, number(4), number(5));
    if (role == "longest-frame" && argc == 5)
        return longest_frame(argv[2], number(3), argv[4]);
    std::fprintf(stderr, "probe: no role '%s' with %d words\n", role.c_str(), argc - 2);
    return 2;
}

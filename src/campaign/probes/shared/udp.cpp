// SPDX-License-Identifier: BSD-3-Clause
// Finding MPI's address among this process's sockets; sending and receiving without waiting.
#include "campaign/probes/shared/udp.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>

#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "campaign/engine/clock.hpp"

namespace alltold::campaign {
namespace {

/// The kernel's own queue of a socket: short, so that a sender that stops has stopped soon, and
/// long enough for the pauses of a busy host. The kernel doubles it.
constexpr int send_buffer_bytes = 64 << 10;

std::vector<int> open_files() {
    std::vector<int> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        const auto name = entry.path().filename().string();
        int fd = -1;
        if (std::from_chars(name.data(), name.data() + name.size(), fd).ec == std::errc())
            files.push_back(fd);
    }
    return files;
}

/// A TCP connection to another host.
struct Connection {
    in_addr_t own_address = 0;
    std::uint64_t moved_bytes = 0;
    int segment_bytes = 0; ///< what a full packet holds
};

/// Nothing if the file is something else, or stays on this host.
std::optional<Connection> connection(int fd) {
    sockaddr_in own{};
    sockaddr_in peer{};
    socklen_t length = sizeof own;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&own), &length) != 0 ||
        own.sin_family != AF_INET)
        return {};
    length = sizeof peer;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0 ||
        peer.sin_addr.s_addr == own.sin_addr.s_addr ||
        (ntohl(own.sin_addr.s_addr) >> 24) == IN_LOOPBACKNET)
        return {};
    tcp_info info{};
    length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return {};
    return Connection{own.sin_addr.s_addr, info.tcpi_bytes_acked + info.tcpi_bytes_received,
                      static_cast<int>(info.tcpi_snd_mss)};
}

} // namespace

std::optional<in_addr> busiest_address() {
    std::map<in_addr_t, std::uint64_t> moved;
    for (const int fd : open_files())
        if (const auto found = connection(fd))
            moved[found->own_address] += found->moved_bytes;
    std::optional<in_addr> busiest;
    std::uint64_t most = 0;
    for (const auto& [address, bytes] : moved)
        if (bytes > most) {
            most = bytes;
            busiest = in_addr{address};
        }
    return busiest;
}

std::optional<int> busiest_segment_bytes() {
    std::optional<Connection> busiest;
    for (const int fd : open_files())
        if (const auto found = connection(fd);
            found && (!busiest || found->moved_bytes > busiest->moved_bytes))
            busiest = found;
    return busiest ? std::optional(busiest->segment_bytes) : std::nullopt;
}

Result<UdpSocket> UdpSocket::open(in_addr address) {
    const auto failed = [](const char* call) {
        return environment(std::string("UDP: ") + call + ": " + std::strerror(errno));
    };
    const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return failed("socket");
    UdpSocket opened(fd, sockaddr_in{AF_INET, 0, address, {}});
    socklen_t length = sizeof opened.address_;
    auto* name = reinterpret_cast<sockaddr*>(&opened.address_);
    if (bind(fd, name, length) != 0 || getsockname(fd, name, &length) != 0)
        return failed("bind");
    constexpr int roomy = 4 << 20; // the kernel gives what it allows
    constexpr int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &roomy, sizeof roomy);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes, sizeof send_buffer_bytes);
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    return opened;
}

UdpSocket::UdpSocket(UdpSocket&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), address_(other.address_) {}

UdpSocket::~UdpSocket() {
    if (fd_ >= 0)
        close(fd_);
}

bool UdpSocket::send(const sockaddr_in& to, std::span<const std::byte> packet) const {
    return sendto(fd_, packet.data(), packet.size(), MSG_DONTWAIT,
                  reinterpret_cast<const sockaddr*>(&to), sizeof to) >= 0;
}

std::optional<double> UdpSocket::receive(std::span<std::byte> head) const {
    iovec part{head.data(), head.size()};
    alignas(cmsghdr) std::array<char, 64> about;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = about.data();
    message.msg_controllen = about.size();
    if (recvmsg(fd_, &message, MSG_DONTWAIT) < 0)
        return {};
    const double now_s = Clock::true_now_s();
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one; one = CMSG_NXTHDR(&message, one))
        if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_TIMESTAMPNS) {
            timespec stamp{}, now{};
            std::memcpy(&stamp, CMSG_DATA(one), sizeof stamp);
            clock_gettime(CLOCK_REALTIME, &now);
            return now_s - static_cast<double>(now.tv_sec - stamp.tv_sec) -
                   1e-9 * static_cast<double>(now.tv_nsec - stamp.tv_nsec);
        }
    return now_s;
}

void UdpSocket::wait(bool to_send, double longest_s) const {
    pollfd ready{fd_, static_cast<short>(POLLIN | (to_send ? POLLOUT : 0)), 0};
    const timespec longest{static_cast<time_t>(longest_s),
                           static_cast<long>(1e9 * std::fmod(longest_s, 1.))};
    ppoll(&ready, 1, &longest, nullptr);
}

int UdpSocket::unsent() const {
    int waiting = 0;
    return ioctl(fd_, SIOCOUTQ, &waiting) == 0 ? waiting : 0;
}

unsigned UdpSocket::dropped_here() const {
    std::array<std::uint32_t, SK_MEMINFO_VARS> about{};
    socklen_t length = sizeof about;
    return getsockopt(fd_, SOL_SOCKET, SO_MEMINFO, about.data(), &length) == 0
               ? about[SK_MEMINFO_DROPS]
               : 0;
}

} // namespace alltold::campaign

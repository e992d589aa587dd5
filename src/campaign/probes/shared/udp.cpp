// SPDX-License-Identifier: BSD-3-Clause
// Finding MPI's address among this process's sockets; sending and counting floods.
#include "campaign/probes/shared/udp.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "campaign/engine/clock.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::campaign {
namespace {

/// After this long without a packet a flood that has begun is over; queues drain without pauses.
constexpr int silence_ms = 40;
/// How long the first packet may take: the way across a backbone and a rank that woke late.
constexpr int first_packet_ms = 600;
constexpr double longest_drain_s = 2;

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

/// The local address and bytes moved of a TCP connection to another address.
std::optional<std::pair<in_addr_t, std::uint64_t>> connection(int fd) {
    sockaddr_in own{};
    sockaddr_in peer{};
    socklen_t length = sizeof own;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&own), &length) != 0 ||
        own.sin_family != AF_INET)
        return {};
    length = sizeof peer;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0 ||
        peer.sin_addr.s_addr == own.sin_addr.s_addr)
        return {};
    tcp_info info{};
    length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return {};
    return std::pair{own.sin_addr.s_addr, info.tcpi_bytes_acked + info.tcpi_bytes_received};
}

} // namespace

std::optional<in_addr> busiest_address() {
    std::map<in_addr_t, std::uint64_t> moved;
    for (const int fd : open_files())
        if (const auto found = connection(fd))
            moved[found->first] += found->second;
    std::optional<in_addr> busiest;
    std::uint64_t most = 0;
    for (const auto& [address, bytes] : moved)
        if (bytes > most && (ntohl(address) >> 24) != IN_LOOPBACKNET) {
            most = bytes;
            busiest = in_addr{address};
        }
    return busiest;
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
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &roomy, sizeof roomy);
    return opened;
}

UdpSocket::UdpSocket(UdpSocket&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), address_(other.address_) {}

UdpSocket::~UdpSocket() {
    if (fd_ >= 0)
        close(fd_);
}

void UdpSocket::send_flood(const sockaddr_in& to, std::uint64_t flood, int packets,
                           std::size_t payload_bytes) const {
    std::vector<char> packet(payload_bytes);
    std::memcpy(packet.data(), &flood, sizeof flood);
    for (int i = 0; i < packets; ++i)
        sendto(fd_, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to),
               sizeof to);
    const double until_s = Clock::true_now_s() + longest_drain_s;
    mpi::Naps naps(500e-6);
    int waiting = 0;
    while (ioctl(fd_, SIOCOUTQ, &waiting) == 0 && waiting > 0 && Clock::true_now_s() < until_s)
        naps.take();
}

unsigned UdpSocket::dropped_here() const {
    std::array<std::uint32_t, SK_MEMINFO_VARS> about{};
    socklen_t length = sizeof about;
    return getsockopt(fd_, SOL_SOCKET, SO_MEMINFO, about.data(), &length) == 0
               ? about[SK_MEMINFO_DROPS]
               : 0;
}

int UdpSocket::count_flood(std::uint64_t flood, int packets) const {
    const unsigned dropped_before = dropped_here();
    std::array<char, 64> head{};
    int arrived = 0;
    int patience_ms = first_packet_ms;
    while (arrived < packets) {
        pollfd readable{fd_, POLLIN, 0};
        if (poll(&readable, 1, patience_ms) <= 0)
            break;
        // Longer packets are cut off: only their mark is of interest.
        while (arrived < packets && recv(fd_, head.data(), head.size(), MSG_DONTWAIT) > 0) {
            std::uint64_t mark = 0;
            std::memcpy(&mark, head.data(), sizeof mark);
            arrived += mark == flood ? 1 : 0;
            patience_ms = silence_ms;
        }
    }
    return arrived + static_cast<int>(dropped_here() - dropped_before);
}

} // namespace alltold::campaign

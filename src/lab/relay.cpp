// SPDX-License-Identifier: BSD-3-Clause
// The backbone between clusters: moves packets from router to router at its rate and delay.
#include "lab/relay.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <memory>
#include <queue>

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "lab/link_queue.hpp"
#include "lab/tcp_messages.hpp"

namespace alltold::lab {

namespace {

constexpr int link_header_bytes = frame_bytes - mtu_bytes;

double now_ns() {
    timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return static_cast<double>(at.tv_sec) * 1e9 + static_cast<double>(at.tv_nsec);
}

struct Packet {
    std::vector<unsigned char> bytes;
    Seen seen;
    std::size_t to = 0; ///< cluster
};

/// A packet and when it is due; the number keeps packets due at the same time in order.
struct Due {
    double at_ns;
    std::uint64_t number;
    std::unique_ptr<Packet> packet;
};
struct Later {
    bool operator()(const Due& a, const Due& b) const {
        return a.at_ns != b.at_ns ? a.at_ns > b.at_ns : a.number > b.number;
    }
};

/// A heap of packets by time (std::priority_queue cannot move elements out).
class Schedule {
  public:
    void push(double at_ns, std::unique_ptr<Packet> packet) {
        heap_.push_back({at_ns, number_++, std::move(packet)});
        std::push_heap(heap_.begin(), heap_.end(), Later{});
    }
    Due pop() {
        std::pop_heap(heap_.begin(), heap_.end(), Later{});
        Due first = std::move(heap_.back());
        heap_.pop_back();
        return first;
    }
    double next_ns() const { return heap_.empty() ? INFINITY : heap_.front().at_ns; }

  private:
    std::vector<Due> heap_;
    std::uint64_t number_ = 0;
};

bool offer(LinkCounts& counts, double gone_ns, const Packet& packet) {
    constexpr auto relaxed = std::memory_order_relaxed;
    if (gone_ns < 0) {
        counts.drops.fetch_add(1, relaxed);
        return false;
    }
    counts.packets.fetch_add(1, relaxed);
    counts.bytes.fetch_add(packet.bytes.size() + link_header_bytes, relaxed);
    counts.payload_bytes.fetch_add(static_cast<std::uint64_t>(packet.seen.payload_bytes), relaxed);
    return true;
}

/// How late the relay usually wakes. It wakes earlier by that much, and assumes that a packet that
/// woke it has waited as long, so that delays are right on average instead of always too long.
class WakeUp {
  public:
    void was_late(double late_ns) {
        constexpr double most_ns = 100e3; // do not hide the delays of a busy machine
        const double seen = std::clamp(late_ns, -most_ns, most_ns);
        usual_ns_ = std::clamp(usual_ns_ + seen / 64, 0.0, most_ns);
    }
    double usual_ns() const { return usual_ns_; }

  private:
    double usual_ns_ = 0;
};

class Backbone {
  public:
    Backbone(const std::vector<Fd>& tuns, const Wan& wan, Shared& shared)
        : tuns_(tuns), shared_(shared), delay_ns_(wan.delay_s * 1e9),
          up_(tuns.size(), LinkQueue(wan.bit_per_s, wan.queue_bytes)),
          down_(tuns.size(), LinkQueue(wan.bit_per_s, wan.queue_bytes)) {}

    /// Moves everything that is due; returns when the next packet is.
    double advance() {
        double now = now_ns() + wake_up_.usual_ns();
        while (crossing_.next_ns() <= now) {
            Due due = crossing_.pop();
            const auto to = due.packet->to;
            const int bytes = static_cast<int>(due.packet->bytes.size()) + link_header_bytes;
            const double gone = down_[to].offer_passing(due.at_ns, bytes);
            if (offer(shared_.down[to], gone, *due.packet))
                leaving_.push(gone, std::move(due.packet));
        }
        while (leaving_.next_ns() <= now) {
            const Due due = leaving_.pop();
            const auto& bytes = due.packet->bytes;
            // A router that is shutting down refuses packets; there is no one to report that to.
            if (write(tuns_[due.packet->to].get(), bytes.data(), bytes.size()) < 0)
                continue;
            shared_.relay.add(now_ns() - due.at_ns);
            now = now_ns() + wake_up_.usual_ns();
        }
        aim_ns_ = std::min(crossing_.next_ns(), leaving_.next_ns()) - wake_up_.usual_ns();
        return aim_ns_;
    }

    /// Called when the wait that advance asked for is over.
    void woke() { wake_up_.was_late(now_ns() - aim_ns_ - wake_up_.usual_ns()); }

    /// Takes up to one batch of packets from the router of cluster `from`.
    void take(std::size_t from, bool slept) {
        constexpr int batch = 64;
        last_ns_ = std::max(last_ns_, now_ns() - (slept ? wake_up_.usual_ns() : 0));
        for (int i = 0; i < batch; ++i) {
            unsigned char bytes[mtu_bytes];
            const ssize_t got = read(tuns_[from].get(), bytes, sizeof bytes);
            if (got <= 0)
                return;
            accept(from, last_ns_, {bytes, static_cast<std::size_t>(got)});
        }
    }

  private:
    void accept(std::size_t from, double at_ns, std::span<const unsigned char> bytes) {
        if (bytes.size() < 20 || bytes[0] >> 4 != 4 || bytes[18] >= tuns_.size())
            return;
        auto packet = std::make_unique<Packet>();
        packet->bytes.assign(bytes.begin(), bytes.end());
        packet->seen = messages_.see(bytes);
        packet->to = bytes[18]; // 198.18.<cluster>.<host>
        // Count it now at both ends: if the packet is lost, its retransmission is not a new
        // message.
        shared_.up[from].messages.fetch_add(packet->seen.ends_message, std::memory_order_relaxed);
        shared_.down[packet->to].messages.fetch_add(packet->seen.ends_message,
                                                    std::memory_order_relaxed);
        const double gone =
            up_[from].offer(at_ns, static_cast<int>(bytes.size()) + link_header_bytes);
        if (offer(shared_.up[from], gone, *packet))
            crossing_.push(gone + delay_ns_, std::move(packet));
    }

    const std::vector<Fd>& tuns_;
    Shared& shared_;
    double delay_ns_;
    std::vector<LinkQueue> up_, down_;
    WakeUp wake_up_;
    double last_ns_ = 0; ///< arrivals never go back in time
    double aim_ns_ = 0;  ///< when advance asked to be called again
    Schedule crossing_;  ///< due when the last bit has come to the downlink
    Schedule leaving_;   ///< due when the last bit has left the downlink
    TcpMessages messages_;
};

void keep_time() {
    prctl(PR_SET_TIMERSLACK, 1UL);
    sched_param priority{};
    priority.sched_priority = 10;
    if (sched_setscheduler(0, SCHED_RR, &priority) != 0)
        setpriority(PRIO_PROCESS, 0,
                    -20); // a plain user may do neither; watch reports late wake-ups
}

} // namespace

Result<Fd> open_tun(int netns) {
    Fd tun;
    const auto opened = inside_network(netns, [&]() -> Status {
        Fd fd(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
        if (!fd.open())
            return system_error("/dev/net/tun, which joins clusters");
        ifreq request{};
        std::strcpy(request.ifr_name, "wan0");
        request.ifr_flags = IFF_TUN | IFF_NO_PI;
        if (ioctl(fd.get(), TUNSETIFF, &request) != 0)
            return system_error("making a tun interface");
        tun = std::move(fd);
        return Done{};
    });
    if (!opened)
        return opened.error();
    return tun;
}

void relay(const std::vector<Fd>& tuns, const Wan& wan, Shared& shared) {
    keep_time();
    Backbone backbone(tuns, wan, shared);
    std::vector<pollfd> ready;
    for (const auto& tun : tuns)
        ready.push_back({tun.get(), POLLIN, 0});
    for (;;) {
        const double wait_ns = backbone.advance() - now_ns();
        timespec wait{};
        if (std::isfinite(wait_ns) && wait_ns > 0)
            wait = {static_cast<time_t>(wait_ns / 1e9), static_cast<long>(std::fmod(wait_ns, 1e9))};
        const int got =
            ppoll(ready.data(), ready.size(), std::isfinite(wait_ns) ? &wait : nullptr, nullptr);
        if (got == 0 && wait_ns > 0)
            backbone.woke();
        for (std::size_t from = 0; from < ready.size(); ++from)
            if (got > 0 && (ready[from].revents & POLLIN))
                backbone.take(from, wait_ns > 0);
    }
}

} // namespace alltold::lab

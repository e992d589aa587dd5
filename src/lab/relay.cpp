// SPDX-License-Identifier: BSD-3-Clause
// The process that forwards all packets of a lab, each when its last bit would arrive.
#include "lab/network.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "lab/switch.hpp"

namespace alltold::lab {
namespace {

inline double clock_ns(clockid_t clock) {
    timespec at;
    clock_gettime(clock, &at);
    return static_cast<double>(at.tv_sec) * 1e9 + static_cast<double>(at.tv_nsec);
}

inline double now_ns() {
    return clock_ns(CLOCK_MONOTONIC);
}

/// CLOCK_REALTIME minus CLOCK_MONOTONIC. The kernel stamps packets by the former, which may be set.
class RealTime {
  public:
    /// Compares the clocks again.
    void compare() {
        // A pause between two readings would make packets seem earlier than they are.
        constexpr int attempts = 3;
        constexpr double no_pause_ns = 500;
        double shortest_ns = INFINITY;
        for (int i = 0; i < attempts && shortest_ns > no_pause_ns; ++i) {
            const double before = now_ns(), real = clock_ns(CLOCK_REALTIME), after = now_ns();
            if (after - before < shortest_ns) {
                shortest_ns = after - before;
                offset_ns_ = real - before;
            }
        }
    }
    double to_monotonic(double real_ns) const { return real_ns - offset_ns_; }

  private:
    double offset_ns_ = 0;
};

/// How late the relay usually wakes. It asks to be woken earlier by that much, and spins until it
/// is time.
class WakeUp {
  public:
    void was_late(double late_ns) {
        constexpr double most_ns = 10e3; // spinning takes a processor
        usual_ns_ =
            std::clamp(usual_ns_ + std::clamp(late_ns, -most_ns, most_ns) / 64, 0.0, most_ns);
    }
    double usual_ns() const { return usual_ns_; }

  private:
    double usual_ns_ = 0;
};

/// Limits how often the relay wakes under load: to once per `interval_ns` on average, with `burst`
/// times at any moment after a quiet time, so that single packets leave on time.
class Pace {
  public:
    /// It woke at `now`; returns when it may wake again.
    double woke(double now) {
        constexpr double interval_ns = 50e3, burst = 64;
        next_ns_ = std::max(next_ns_, now) + interval_ns;
        return next_ns_ - burst * interval_ns;
    }

  private:
    double next_ns_ = 0;
};

timespec span_of(double ns) {
    if (!std::isfinite(ns))
        return {};
    return {static_cast<time_t>(ns / 1e9), static_cast<long>(std::fmod(ns, 1e9))};
}

class Relay {
  public:
    Relay(PacketSocket& ports, const LabOptions& options, Shared& shared)
        : ports_(ports), clusters_(options.clusters.leaders()), shared_(shared),
          switch_(options, shared, pool_),
          last_ns_(static_cast<std::size_t>(clusters_.hosts()), 0.) {}

    /// Moves everything that is due.
    void advance() {
        // The switch may only know what happens up to here: later arrivals are read next time.
        const double now = now_ns();
        real_time_.compare();
        ports_.read([&](const Frame& frame) { accept(frame, now); });
        if (const auto missed = ports_.missed(); missed > 0)
            shared_.missed.fetch_add(missed, std::memory_order_relaxed);
        while (Packet* packet = switch_.next(now))
            leaving_.push_back(packet);
        if (leaving_.empty())
            return;
        const double left = now_ns();
        ports_.write(leaving_);
        for (Packet* packet : leaving_) {
            shared_.relay.add(left - packet->due_ns);
            pool_.give_back(packet);
        }
        leaving_.clear();
    }

    /// Sleeps until something is due, or arrives; not watching arrivals for the sake of fewer
    /// wake-ups under load.
    void sleep() {
        const double now = now_ns();
        const double may = pace_.woke(now);
        if (may > now)
            sleep_until(may);
        else
            await_packets(now);
    }

  private:
    void accept(const Frame& frame, double now) {
        const int to = target_of(frame.data, clusters_);
        if (to < 0 || frame.data.size() > frame_bytes)
            return;
        Packet* packet = pool_.take();
        packet->from = frame.device;
        packet->to = to;
        packet->bytes = static_cast<int>(frame.data.size());
        packet->payload_bytes = 0;
        packet->offload = frame.offload;
        std::copy(frame.data.begin(), frame.data.end(), packet->data.begin());
        if (clusters_.count() > 1)
            cross(*packet);
        // Between `now` and here little time has passed, unless somebody set the clock.
        constexpr double most_ns = 1e6;
        double& last = last_ns_[static_cast<std::size_t>(packet->from)];
        last = std::max(last, std::min(now + most_ns, real_time_.to_monotonic(frame.real_ns)));
        switch_.accept(last, packet);
    }

    /// Does what gateways do with a packet if it is for another cluster.
    void cross(Packet& packet) {
        const int from = clusters_.cluster_of(packet.from), to = clusters_.cluster_of(packet.to);
        if (from == to)
            return;
        const std::span frame(packet.data.data(), static_cast<std::size_t>(packet.bytes));
        readdress(frame, clusters_, packet.to);
        const auto seen = messages_.see(frame.subspan(ethernet_bytes));
        packet.payload_bytes = seen.payload_bytes;
        // Count it now at both ends: if the packet is lost, its retransmission is not a new
        // message.
        for (auto* counts : {&shared_.up[static_cast<std::size_t>(from)],
                             &shared_.down[static_cast<std::size_t>(to)]})
            counts->messages.fetch_add(seen.ends_message, std::memory_order_relaxed);
    }

    static void sleep_until(double at_ns) {
        const auto at = span_of(at_ns);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
    }

    void await_packets(double now) {
        const double next = switch_.next_ns();
        const double wait_ns = next - wake_up_.usual_ns() - now;
        if (wait_ns > 0) {
            pollfd ready{ports_.fd(), POLLIN, 0};
            const auto wait = span_of(wait_ns);
            if (ppoll(&ready, 1, std::isfinite(wait_ns) ? &wait : nullptr, nullptr) != 0)
                return;
            wake_up_.was_late(now_ns() - next);
        }
        while (now_ns() < next) { // it woke a little early; to sleep again would take longer
        }
    }

    PacketSocket& ports_;
    const Clusters clusters_; ///< of hosts
    Shared& shared_;
    PacketPool pool_;
    Switch switch_;
    RealTime real_time_;
    WakeUp wake_up_;
    Pace pace_;
    TcpMessages messages_;
    std::vector<double> last_ns_; ///< arrivals from a host never go back in time
    std::vector<Packet*> leaving_;
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

void relay(PacketSocket& ports, const LabOptions& options, Shared& shared) {
    keep_time();
    Relay relay(ports, options, shared);
    for (;;) {
        relay.advance();
        relay.sleep();
    }
}

} // namespace alltold::lab

// SPDX-License-Identifier: BSD-3-Clause
// Sending, stopping, draining and receiving in one loop.
#include "campaign/probes/shared/flood_side.hpp"

#include <algorithm>
#include <cstring>

namespace alltold::campaign {
namespace {

constexpr double shortest_flood_s = 0.1, longest_flood_s = 1;
constexpr double least_bytes = 2 << 20, most_bytes = 16 << 20;
/// How long the first packet may take: the way across a backbone and a rank that woke late.
constexpr double first_packet_s = 0.6;
/// After so long without a packet a flood whose last packets were lost is over.
constexpr double silence_s = 0.3;
constexpr double stop_every_s = 0.01;
constexpr double drain_glance_s = 0.2e-3;
constexpr double longest_wait_s = 5e-3;
constexpr double longest_drain_s = 2;
constexpr int sends_a_turn = 8;
/// When the end is told, from the last packet's departure on; a full queue may drop some.
constexpr std::array end_told_s{0., 5e-3, 10e-3, 20e-3, 40e-3, 80e-3};

enum class What : std::uint32_t { data, stop, end };

/// The beginning of every packet.
struct Head {
    std::uint64_t flood = 0;
    What what = What::data;
    std::uint32_t sender = 0;
    std::uint64_t number = 0; ///< of the packet
    FloodSender self = {};    ///< at the end
};

std::span<const std::byte> bytes_of(const Head& head) {
    return std::as_bytes(std::span(&head, 1));
}

class Sending {
  public:
    Sending(const UdpSocket& socket, const FloodRole& role, std::uint64_t flood)
        : socket_(socket), role_(role), head_{flood, What::data, role.number},
          packet_(packet_bytes_of(role.number)) {
        stage_ = role.target ? Stage::sends : Stage::over;
    }

    bool over() const { return stage_ == Stage::over; }
    bool sends() const { return stage_ == Stage::sends; }
    void stop() { stopped_ = true; }

    void advance(double now_s) {
        if (stage_ == Stage::sends)
            send(now_s);
        if (stage_ == Stage::drains)
            drain(now_s);
        if (stage_ == Stage::ends)
            tell_end(now_s);
    }

    double next_s(double now_s) const {
        return stage_ == Stage::drains ? drain_glance_s
               : stage_ == Stage::ends ? std::max(0., self_.ended_s + end_told_s[told_] - now_s)
                                       : longest_wait_s;
    }

  private:
    enum class Stage { sends, drains, ends, over };

    void send(double now_s) {
        if (self_.started_s == 0)
            self_.started_s = now_s;
        const double bytes = self_.packets * static_cast<double>(packet_.size());
        const double taken_s = now_s - self_.started_s;
        const bool may_stop = stopped_ && (taken_s >= shortest_flood_s || bytes >= least_bytes);
        if (may_stop || taken_s >= longest_flood_s || bytes >= most_bytes) {
            stage_ = Stage::drains;
            drain_from_s_ = last_glance_s_ = now_s;
            drain_from_ = last_unsent_ = socket_.unsent();
            return;
        }
        for (int i = 0; i < sends_a_turn; ++i) {
            head_.number = static_cast<std::uint64_t>(self_.packets);
            std::memcpy(packet_.data(), &head_, sizeof head_);
            if (!socket_.send(*role_.target, packet_))
                return;
            ++self_.packets;
        }
    }

    /// The last packet leaves when the line through two glances at the host's queue reaches zero,
    /// however late this process notices.
    void drain(double now_s) {
        const int unsent = socket_.unsent();
        if (unsent > 0 && now_s < drain_from_s_ + longest_drain_s) {
            last_unsent_ = unsent;
            last_glance_s_ = now_s;
            return;
        }
        const int gone = drain_from_ - last_unsent_;
        self_.ended_s = gone > 0
                            ? std::min(now_s, last_glance_s_ + (last_glance_s_ - drain_from_s_) *
                                                                   last_unsent_ / gone)
                            : now_s;
        stage_ = Stage::ends;
    }

    void tell_end(double now_s) {
        while (now_s >= self_.ended_s + end_told_s[told_]) {
            head_.what = What::end;
            head_.self = self_;
            socket_.send(*role_.target, bytes_of(head_));
            if (++told_ == end_told_s.size()) {
                stage_ = Stage::over;
                return;
            }
        }
    }

    const UdpSocket& socket_;
    const FloodRole& role_;
    Stage stage_ = Stage::over;
    Head head_;
    std::vector<std::byte> packet_;
    FloodSender self_;
    bool stopped_ = false;
    double drain_from_s_ = 0, last_glance_s_ = 0;
    int drain_from_ = 0, last_unsent_ = 0;
    std::size_t told_ = 0;
};

class Receiving {
  public:
    Receiving(const UdpSocket& socket, const FloodRole& role, std::uint64_t flood, double now_s)
        : socket_(socket), role_(role), flood_(flood), senders_(role.senders.size()),
          awaited_(std::ranges::count(role.sends_here, true)),
          patient_until_s_(now_s + first_packet_s), dropped_before_(socket.dropped_here()) {}

    bool over() const { return awaited_ == 0; }

    void data(const Head& head, double arrived_s) {
        if (head.sender >= senders_.size() || over())
            return;
        arrivals_.push_back({head.sender, head.number, arrived_s});
        if (head.sender < role_.near)
            loss_.add(head.sender, head.number);
        patient_until_s_ = arrived_s + silence_s;
    }
    void end(const Head& head) {
        if (head.sender >= senders_.size() || senders_[head.sender].packets > 0)
            return;
        senders_[head.sender] = head.self;
        --awaited_;
    }

    void advance(double now_s) {
        if (over())
            return;
        if (now_s > patient_until_s_)
            awaited_ = 0;
        if (now_s >= stop_again_s_ && loss_.overflow(dropped_here())) {
            const Head stop{flood_, What::stop};
            for (const auto& sender : role_.senders)
                socket_.send(sender, bytes_of(stop));
            stop_again_s_ = now_s + stop_every_s;
        }
    }

    FloodReceipt receipt() const {
        return read_arrivals(arrivals_, senders_, role_.near, dropped_here());
    }

  private:
    double dropped_here() const {
        return static_cast<double>(socket_.dropped_here() - dropped_before_);
    }

    const UdpSocket& socket_;
    const FloodRole& role_;
    std::uint64_t flood_;
    std::vector<FloodSender> senders_;
    std::ptrdiff_t awaited_; ///< senders that have not told their end
    double patient_until_s_;
    unsigned dropped_before_;
    double stop_again_s_ = 0;
    std::vector<FloodArrival> arrivals_;
    FloodLoss loss_;
};

} // namespace

FloodReceipt run_flood(const UdpSocket& socket, const FloodRole& role, std::uint64_t flood,
                       const GlobalClock& clock) {
    Sending sending(socket, role, flood);
    Receiving receiving(socket, role, flood, clock.now_s());
    for (;;) {
        Head head;
        while (const auto true_s = socket.receive(std::as_writable_bytes(std::span(&head, 1)))) {
            if (head.flood != flood)
                continue;
            if (head.what == What::data)
                receiving.data(head, clock.to_global(clock.local().shown_at(*true_s)));
            else if (head.what == What::end)
                receiving.end(head);
            else
                sending.stop();
        }
        const double now_s = clock.now_s();
        sending.advance(now_s);
        receiving.advance(now_s);
        if (sending.over() && receiving.over())
            return receiving.receipt();
        socket.wait(sending.sends(), sending.next_s(now_s));
    }
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
#include "network/links/flood_reading.hpp"

#include <algorithm>

#include "core/statistics.hpp"

namespace alltold {
namespace {

/// Losses that show an overflowing queue: at least so many, and this share.
constexpr double fewest_lost = 4;
constexpr double least_lost_share = 0.03;
/// A sender that lost at least this share of its packets at the end lost them in a full queue.
constexpr double most_behind_share = 0.2;
/// After the overflow the queue is full until the first sender ends.
constexpr double full_quantile = 0.75;
constexpr std::size_t grid = 32;

/// Packets that had arrived by `time_s`.
double arrived_by(const FloodReceipt& receipt, double time_s) {
    const auto& reached = receipt.reached_s;
    const auto after = std::upper_bound(reached.begin(), reached.end(), time_s);
    if (after == reached.begin())
        return 0;
    if (after == reached.end())
        return receipt.arrived;
    const auto step = static_cast<double>(after - reached.begin() - 1);
    const double part = (time_s - *(after - 1)) / (*after - *(after - 1));
    return (step + part) / flood_steps * receipt.arrived;
}

} // namespace

void FloodLoss::add(std::size_t sender, std::uint64_t number) {
    if (expected_.size() <= sender)
        expected_.resize(sender + 1, 0);
    ++arrived_;
    if (number < expected_[sender]) {
        lost_ = std::max(0., lost_ - 1); // it had been overtaken
        return;
    }
    lost_ += static_cast<double>(number - expected_[sender]);
    expected_[sender] = number + 1;
}

bool FloodLoss::overflow(double ours) const {
    return lost_ - ours >= std::max(fewest_lost, least_lost_share * arrived_);
}

double FloodLoss::behind(std::size_t sender, double packets) const {
    return packets - (sender < expected_.size() ? static_cast<double>(expected_[sender]) : 0);
}

FloodReceipt read_arrivals(std::span<const FloodArrival> arrivals,
                           std::span<const FloodSender> senders, std::size_t near, double ours) {
    FloodReceipt receipt;
    receipt.arrived = static_cast<double>(arrivals.size());
    if (arrivals.empty())
        return receipt;
    const auto at = [&](std::size_t step) { return step * (arrivals.size() - 1) / flood_steps; };
    for (std::size_t step = 0; step <= flood_steps; ++step)
        receipt.reached_s[step] = arrivals[at(step)].time_s;
    // Without a sender's own account its packets have no known way.
    if (std::ranges::any_of(arrivals,
                            [&](const auto& one) { return senders[one.sender].packets < 2; }))
        return receipt;
    std::array<std::vector<double>, flood_steps> ways_s;
    double quickest_s = std::numeric_limits<double>::infinity();
    std::vector<double> last_s(senders.size(), arrivals.front().time_s);
    FloodLoss loss;
    std::size_t step = 0;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        const auto& [from, number, time_s] = arrivals[i];
        if (from >= near)
            continue;
        while (step + 1 < flood_steps && i >= at(step + 1))
            ++step;
        const auto& sender = senders[from];
        const double pace_s = (sender.ended_s - sender.started_s) / (sender.packets - 1);
        const double way_s = time_s - sender.started_s - static_cast<double>(number) * pace_s;
        ways_s[step].push_back(way_s);
        quickest_s = std::min(quickest_s, way_s);
        last_s[from] = time_s;
        loss.add(from, number);
        if (loss.overflow(ours))
            receipt.overflow_s = std::min(receipt.overflow_s, time_s);
    }
    // A sender in step with the others may lose all its packets once the queue is full.
    for (std::size_t i = 0; i < std::min(near, senders.size()); ++i)
        if (loss.behind(i, senders[i].packets) - ours >=
            std::max(fewest_lost, most_behind_share * senders[i].packets))
            receipt.overflow_s = std::min(receipt.overflow_s, last_s[i]);
    // In a step of few arrivals none may tell.
    double delayed_s = 0;
    for (std::size_t i = 0; i < flood_steps; ++i) {
        if (!ways_s[i].empty())
            delayed_s = median(ways_s[i]) - quickest_s;
        receipt.delayed_s[i] = delayed_s;
    }
    return receipt;
}

FloodReading read_flood(std::span<const FloodReceipt> receipts) {
    double first_s = INFINITY, last_s = -INFINITY, overflow_s = INFINITY;
    for (const auto& receipt : receipts)
        if (receipt.arrived >= 2) {
            first_s = std::min(first_s, receipt.reached_s.front());
            last_s = std::max(last_s, receipt.reached_s.back());
            overflow_s = std::min(overflow_s, receipt.overflow_s);
        }
    FloodReading reading;
    if (!(last_s > first_s))
        return reading;
    const auto at = [&](std::size_t i) {
        const double time_s = first_s + (last_s - first_s) * static_cast<double>(i) / grid;
        double packets = 0;
        for (const auto& receipt : receipts)
            if (receipt.arrived >= 2)
                packets += arrived_by(receipt, time_s);
        return packets;
    };
    std::vector<double> rates;
    for (std::size_t i = 0; i <= grid / 2; ++i)
        rates.push_back((at(i + grid / 2) - at(i)) / ((last_s - first_s) / 2));
    reading.packets_per_s = median(rates);
    std::vector<double> full_s;
    for (const auto& receipt : receipts)
        for (std::size_t step = 0; receipt.arrived >= 2 && step < flood_steps; ++step)
            if (receipt.reached_s[step + 1] >= overflow_s)
                full_s.push_back(receipt.delayed_s[step]);
    if (!full_s.empty())
        reading.queue_packets = quantile(full_s, full_quantile) * reading.packets_per_s + 1;
    return reading;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The chance of a time-out by packets under way, and the distribution of the last one's end.
#include "model/timeouts.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace alltold {
namespace {

constexpr double packet_bytes = 1514;
constexpr double even_packets = 2;
constexpr double shape = 0.5;

} // namespace

double timeout_chance(double queue_bytes, int flows, double dropped) {
    const double packets = queue_bytes / (std::max(flows, 1) * packet_bytes);
    return dropped / (1 + std::exp(2 * (packets - even_packets)));
}

Estimate with_timeouts(const Estimate& time_s, std::span<const Timeout> timeouts) {
    std::vector<Timeout> last_first;
    for (const auto& timeout : timeouts)
        if (timeout.ends_s > time_s.value)
            last_first.push_back(timeout);
    std::ranges::sort(last_first, std::greater{}, &Timeout::ends_s);
    // The last time-out's end that the call outlasts with less than this probability.
    const auto quantile = [&](double probability, double otherwise_s) {
        double expected = 0;
        for (const auto& timeout : last_first) {
            expected += timeout.chance;
            if (std::pow(1 + expected / shape, -shape) < probability)
                return std::max(timeout.ends_s, otherwise_s);
        }
        return otherwise_s;
    };
    return {quantile(0.5, time_s.value), quantile(0.05, time_s.low), quantile(0.95, time_s.high)};
}

} // namespace alltold

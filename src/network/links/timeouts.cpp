// SPDX-License-Identifier: BSD-3-Clause
// The chance of a time-out by packets under way, and the distribution of the last one's end.
#include "network/links/timeouts.hpp"

#include <algorithm>
#include <cmath>

namespace alltold {
namespace {

constexpr double packet_bytes = 1514;
constexpr double even_packets = 2;
constexpr double shape = 0.5;
constexpr int bisections = 40;

} // namespace

double timeout_chance(double queue_bytes, int flows, double dropped) {
    const double packets = queue_bytes / (std::max(flows, 1) * packet_bytes);
    return dropped / (1 + std::exp(2 * (packets - even_packets)));
}

Estimate with_timeouts(const Estimate& time_s, std::span<const Timeout> timeouts) {
    double latest_s = time_s.value;
    for (const auto& timeout : timeouts)
        latest_s = std::max(latest_s, timeout.latest_s);
    const auto probability_below = [&](double end_s) {
        double expected = 0;
        for (const auto& [chance, soonest_s, last_s] : timeouts)
            expected += end_s < soonest_s ? chance
                        : end_s < last_s  ? chance * (last_s - end_s) / (last_s - soonest_s)
                                          : 0;
        return std::pow(1 + expected / shape, -shape);
    };
    const auto quantile = [&](double probability, double otherwise_s) {
        if (probability_below(time_s.value) >= probability)
            return otherwise_s;
        double low_s = time_s.value, high_s = latest_s;
        for (int i = 0; i < bisections; ++i) {
            const double middle_s = (low_s + high_s) / 2;
            (probability_below(middle_s) < probability ? low_s : high_s) = middle_s;
        }
        return std::max(high_s, otherwise_s);
    };
    return {quantile(0.5, time_s.value), quantile(0.05, time_s.low), quantile(0.95, time_s.high)};
}

} // namespace alltold

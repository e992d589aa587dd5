// SPDX-License-Identifier: BSD-3-Clause
#include "network/links/timeouts.hpp"

namespace alltold {
namespace {

constexpr double even_packets = 2, even_packets_in_all = 5;
constexpr double packets_for_repair = 3; ///< that must follow
constexpr double shape = 0.5;
constexpr int bisections = 40;

} // namespace

double timeout_chance(double queue_packets, int flows, double dropped, double flow_packets) {
    const auto too_few = [](double packets, double even) {
        return 1 / (1 + std::exp(2 * (packets - even)));
    };
    const double in_queue = queue_packets / std::max(flows, 1);
    const double in_all = std::max(flow_packets, 1.);
    const double last_dropped = std::min(1., dropped * std::min(in_all, packets_for_repair));
    return std::max(dropped * too_few(in_queue, even_packets),
                    last_dropped * too_few(in_all, even_packets_in_all));
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

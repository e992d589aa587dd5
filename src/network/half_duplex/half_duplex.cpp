// SPDX-License-Identifier: BSD-3-Clause
// Ratios of calls from two starts.
#include "network/half_duplex/half_duplex.hpp"

#include <algorithm>
#include <cassert>

#include "core/median.hpp"
#include "network/network.hpp"

namespace alltold {

HalfDuplex fit_half_duplex(std::span<const CallFromBothStarts> calls) {
    assert(!calls.empty());
    constexpr double most = 2; // one way at a time, all the time
    constexpr std::size_t enough = 3;
    std::vector<double> ratios;
    double low = 1, high = calls.size() < enough ? most : 1;
    for (const auto& [silence_s, barrier_s] : calls) {
        ratios.push_back(barrier_s.value / silence_s.value);
        const double least = barrier_s.low / silence_s.high;
        low = ratios.size() == 1 ? least : std::min(low, least);
        high = std::max(high, barrier_s.high / silence_s.low);
    }
    const double value = std::clamp(median(ratios), 1., most);
    low = calls.size() < enough ? 1 : std::clamp(low, 1., value);
    return {{value, low, std::max(value, high)}, static_cast<int>(calls.size())};
}

Estimate half_duplex_factor(const Network& network, double size_bytes) {
    const auto& known = network.half_duplex;
    const bool waits = network.eager_limit_bytes && size_bytes > network.eager_limit_bytes->value;
    return known && known->applies && waits ? known->factor : Estimate::exact(1);
}

} // namespace alltold

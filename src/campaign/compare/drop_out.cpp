// SPDX-License-Identifier: BSD-3-Clause
// The least times beside the least median.
#include "campaign/compare/drop_out.hpp"

#include <algorithm>
#include <limits>

#include "core/median.hpp"

namespace alltold::campaign {
namespace {

/// More than retransmissions and connections cost: Linux starts with 200 ms and 1 s.
constexpr double never_chance_s = 1;

double middle_s(const Standing& standing) {
    return standing.times_s.empty() ? standing.warmup_s : median(standing.times_s);
}

double least_s(const Standing& standing) {
    double least = standing.warmup_s;
    for (const double time_s : standing.times_s)
        least = std::min(least, time_s);
    return least;
}

} // namespace

std::vector<bool> out(std::span<const Standing> standings, double factor) {
    double best_s = std::numeric_limits<double>::infinity();
    for (const auto& standing : standings)
        best_s = std::min(best_s, middle_s(standing));
    std::vector<bool> gone;
    for (const auto& standing : standings) {
        const double over_s = least_s(standing) - factor * best_s;
        gone.push_back(!standing.stays && over_s > 0 &&
                       (!standing.times_s.empty() || over_s > never_chance_s));
    }
    return gone;
}

} // namespace alltold::campaign

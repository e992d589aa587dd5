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

double middle_s(const CandidateTimes& candidate) {
    return candidate.times_s.empty() ? candidate.warmup_s : median(candidate.times_s);
}

double least_s(const CandidateTimes& candidate) {
    double least = candidate.warmup_s;
    for (const double time_s : candidate.times_s)
        least = std::min(least, time_s);
    return least;
}

} // namespace

std::vector<bool> too_slow(std::span<const CandidateTimes> candidates, double factor) {
    double best_s = std::numeric_limits<double>::infinity();
    for (const auto& candidate : candidates)
        best_s = std::min(best_s, middle_s(candidate));
    std::vector<bool> gone;
    for (const auto& candidate : candidates) {
        const double over_s = least_s(candidate) - factor * best_s;
        gone.push_back(!candidate.stays && over_s > 0 &&
                       (!candidate.times_s.empty() || over_s > never_chance_s));
    }
    return gone;
}

} // namespace alltold::campaign

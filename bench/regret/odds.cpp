// SPDX-License-Identifier: BSD-3-Clause
// Decides among what was timed.
#include "regret/odds.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "core/statistics.hpp"
#include "predict/decide/decided_call.hpp"

namespace alltold::regret {
namespace {

std::optional<double> library_s(const TimedCall& call) {
    for (const auto& row : call.timed)
        if (row.choice.is_default() && row.times_s.size() >= least_times)
            return median(row.times_s);
    return std::nullopt;
}

} // namespace

std::vector<TimedOdds> timed_odds(const Profile& profile, const std::vector<TimedCall>& calls) {
    std::vector<TimedOdds> all;
    SimulationCache simulations;
    for (const auto& call : calls) {
        const auto of_library_s = library_s(call);
        if (!of_library_s || call.start == StartMode::loop)
            continue;
        const Decider decider(profile.network, profile.provenance.start_mode, call.collective,
                              profile.provenance.clusters, simulations, {.start = call.start});
        const std::span spreads(&call.clusters, 1);
        auto decided = decider.at(spreads, call.size_bytes, {});
        for (const auto& row : call.timed) {
            if (!row.choice.algorithm || row.times_s.size() < least_times)
                continue;
            const auto& odds = decided.odds[decider.add(decided, spreads, row.choice)];
            if (odds.ratio * (1 + decider.terms().worth) <= 1)
                all.push_back({odds, median(row.times_s) / *of_library_s - 1});
        }
    }
    return all;
}

} // namespace alltold::regret

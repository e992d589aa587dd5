// SPDX-License-Identifier: BSD-3-Clause
// Odds of a loss over both starts.
#include "predict/safe_choice.hpp"

#include <algorithm>

#include "core/chance.hpp"

namespace alltold {
namespace {

/// What may be lost from one start where a choice gains from the other.
constexpr double tolerated_loss = 0.03;

Estimate with_tolerance(const Estimate& time_s) {
    constexpr double factor = 1 + tolerated_loss;
    return {time_s.value * factor, time_s.low * factor, time_s.high * factor};
}

} // namespace

double chance_of_slower(const CallTimes& one, const CallTimes& other) {
    const double usual = chance_of_more(one.usual_s, other.usual_s);
    return one.second_s && other.second_s
               ? (usual + chance_of_more(*one.second_s, *other.second_s)) / 2
               : usual;
}

bool is_safe(const CallTimes& ours, const CallTimes& library) {
    const double slower = chance_of_more(ours.usual_s, library.usual_s);
    if (!ours.second_s || !library.second_s)
        return slower < most_chance_of_loss;
    const double slower_second = chance_of_more(*ours.second_s, *library.second_s);
    const double slower_of_both = chance_of_slower(
        ours, {with_tolerance(library.usual_s), with_tolerance(*library.second_s)});
    return std::max(slower_of_both, std::min(slower, slower_second)) < most_chance_of_loss;
}

std::optional<SafeChoice> quickest_safe(const Ranking& usual, const Ranking* second,
                                        bool of_library) {
    const auto times_of = [&](const RankedAlgorithm& candidate) {
        CallTimes times{candidate.time_s};
        if (second)
            for (const auto& other : second->candidates)
                if (other.choice == candidate.choice)
                    times.second_s = other.time_s;
        return times;
    };
    const auto* const own = library_choice(usual);
    if (!own)
        return std::nullopt;
    const auto library = times_of(*own);
    const auto* best = own;
    auto best_times = library;
    for (const auto& candidate : usual.candidates) {
        const auto times = times_of(candidate);
        const bool may_run =
            of_library ? !candidate.choice.is_default() : candidate.choice.algorithm != nullptr;
        if (!may_run || times.value() >= best_times.value() || !is_safe(times, library))
            continue;
        best = &candidate;
        best_times = times;
        if (!second)
            break; // the ranking's order is that of preference
    }
    return SafeChoice{best->choice, best_times, library};
}

std::optional<Network> from_second_start(const Network& network, Collective collective,
                                         const Clusters& hosts) {
    for (const auto start_mode : {StartMode::silence, StartMode::barrier}) {
        const CollectiveProbe probe{collective, start_mode};
        if (correction_of(network, probe, hosts, true) &&
            correction_of(network, probe, hosts, false))
            return network_after(network, start_mode);
    }
    return std::nullopt;
}

} // namespace alltold

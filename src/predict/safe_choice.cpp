// SPDX-License-Identifier: BSD-3-Clause
// Odds of a loss over both starts.
#include "predict/safe_choice.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/normal.hpp"
#include "predict/library_prediction.hpp"

namespace alltold {
namespace {

StartTimes scaled(const StartTimes& times, double factor) {
    const auto by_factor = [&](const Estimate& time_s) {
        return Estimate{time_s.value * factor, time_s.low * factor, time_s.high * factor};
    };
    return {by_factor(times.usual_s),
            times.second_s ? std::optional(by_factor(*times.second_s)) : std::nullopt,
            times.loses_packets,
            times.measured,
            times.overflow_bytes,
            times.small_windows};
}

/// The standard deviation of the logarithm; at least a thousandth, infinite if it is unknown.
double log_deviation(const Estimate& time_s) {
    constexpr double least = 1e-3;
    if (!(time_s.low > 0) || !std::isfinite(time_s.high))
        return INFINITY;
    return std::max(least, std::log(time_s.high / time_s.low) / (2 * normal_reach));
}

/// How likely one time is longer than another, both log-normal, independent, with 90 % intervals;
/// one half where an interval has no end.
double chance_of_more(const Estimate& one, const Estimate& other) {
    const double deviation = std::hypot(log_deviation(one), log_deviation(other));
    return normal_probability(std::log(one.value / other.value) / deviation);
}

/// The same where TCP's windows are small.
StartTimes with_small_windows(const StartTimes& times) {
    auto after = scaled(times, times.small_windows);
    after.small_windows = 1;
    return after;
}

} // namespace

bool may_lose_packets(const StartTimes& ours, const StartTimes& library) {
    constexpr double far_more = 4;
    return ours.loses_packets &&
           (library.overflow_bytes <= 0 || library.overflow_bytes < far_more * ours.overflow_bytes);
}

StartTimes times_of(const RankedAlgorithm& candidate, const SecondTime& second) {
    return {candidate.known_s(),
            second ? second(candidate.choice) : std::nullopt,
            candidate.overflows_unmeasured(),
            candidate.measured_s.has_value(),
            candidate.predicted.prediction.overflow_bytes,
            candidate.predicted.prediction.small_windows};
}

double chance_of_slower(const StartTimes& one, const StartTimes& other) {
    if (one.small_windows != 1 || other.small_windows != 1) {
        auto [before, other_before] = std::pair(one, other);
        before.small_windows = other_before.small_windows = 1;
        return (chance_of_slower(before, other_before) +
                chance_of_slower(with_small_windows(one), with_small_windows(other))) /
               2;
    }
    const double usual = chance_of_more(one.usual_s, other.usual_s);
    return one.second_s && other.second_s
               ? (usual + chance_of_more(*one.second_s, *other.second_s)) / 2
               : usual;
}

double chance_of_loss(const StartTimes& ours, const StartTimes& library) {
    return chance_of_slower(ours, scaled(library, worth_gaining));
}

bool likely_loses_with_small_windows(const StartTimes& ours, const StartTimes& library) {
    return ours.small_windows > 1 &&
           chance_of_loss(with_small_windows(ours), with_small_windows(library)) >=
               most_likely_chance;
}

bool is_safe(const StartTimes& ours, const StartTimes& library) {
    // Neither of the last two holds of an unknown time.
    if (may_lose_packets(ours, library) || likely_loses_with_small_windows(ours, library) ||
        !(ours.value() < library.value() && chance_of_loss(ours, library) < most_chance_of_loss))
        return false;
    return !ours.second_s || !library.second_s ||
           std::min(chance_of_more(ours.usual_s, library.usual_s),
                    chance_of_more(*ours.second_s, *library.second_s)) < most_chance_of_loss;
}

std::optional<SafeChoice> quickest_safe(const Ranking& usual, const SecondTime& second,
                                        bool of_library) {
    constexpr double surely = 0.95;
    const auto* const own = library_choice(usual);
    if (!own)
        return std::nullopt;
    const auto library = times_of(*own, second);
    const SafeChoice none{own->choice, library, library, own->measured_s.has_value()};
    auto best = none, best_measured = none;
    bool any_measured = false;
    for (const auto& candidate : usual.candidates) {
        const bool may_run =
            of_library ? !candidate.choice.is_default() : candidate.choice.algorithm != nullptr;
        if (!may_run)
            continue;
        const auto times = times_of(candidate, second);
        if (!is_safe(times, library))
            continue;
        const bool measured = candidate.measured_s.has_value();
        const SafeChoice safe{candidate.choice, times, library, measured};
        // With one time each the ranking's order is that of preference.
        const bool several_times = second || times.small_windows != best.times.small_windows;
        if (best.choice == own->choice || (several_times && times.value() < best.times.value()))
            best = safe;
        if (measured && (!any_measured || times.value() < best_measured.times.value()))
            best_measured = safe;
        any_measured = any_measured || measured;
    }
    return any_measured && chance_of_slower(best_measured.times, best.times) < surely
               ? best_measured
               : best;
}

std::vector<Choice> promising_choices(const Ranking& usual, const SecondTime& second,
                                      std::size_t most) {
    constexpr double hopeless = 0.6;
    const auto* const own = library_choice(usual);
    const auto to_beat =
        own ? std::optional(scaled(times_of(*own, second), 1 / worth_gaining)) : std::nullopt;
    std::vector<std::pair<double, Choice>> hopeful;
    for (const auto& candidate : usual.candidates)
        if (candidate.choice.algorithm) {
            const auto times = times_of(candidate, second);
            if (!to_beat || chance_of_slower(times, *to_beat) < hopeless)
                hopeful.emplace_back(times.value(), candidate.choice);
        }
    std::ranges::stable_sort(hopeful, {}, &std::pair<double, Choice>::first);
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < std::min(most, hopeful.size()); ++i)
        choices.push_back(std::move(hopeful[i].second));
    return choices;
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

SecondTime second_times(const Network& network, const Ranking& ranking) {
    const auto [collective, clusters, size_bytes] =
        std::tuple(ranking.collective, ranking.clusters, ranking.size_bytes);
    const auto after = from_second_start(network, collective, clusters);
    if (!after || !library_known(*after, collective, clusters, size_bytes))
        return {};
    return [=](const Choice& choice) -> std::optional<Estimate> {
        const auto time = evaluate(*after, collective, clusters, size_bytes, choice);
        return time ? std::optional(time->known_s()) : std::nullopt;
    };
}

} // namespace alltold

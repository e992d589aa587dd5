// SPDX-License-Identifier: BSD-3-Clause
// Choices by their odds.
#include "predict/choice/safe_choice.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "predict/library/library_prediction.hpp"
#include "predict/timing/algorithm_time.hpp"

namespace alltold {

KnownTime known_time(const RankedAlgorithm& candidate) {
    const KnownTime known{candidate.known_s(), candidate.lower_quartile_s,
                          candidate.predicted.prediction.lossless_s};
    const double wait_s = candidate.expected_wait_s();
    if (wait_s <= 0)
        return known;
    auto longer = scaled(known, 1 + wait_s / known.time_s.value);
    longer.lossless_s = known.lossless_s;
    longer.wait_s = wait_s;
    return longer;
}

StartTimes times_of(const RankedAlgorithm& candidate, const SecondTime& second) {
    StartTimes times{.usual = known_time(candidate),
                     .loses_packets = candidate.overflows_unmeasured(),
                     .measured = candidate.measured_s.has_value(),
                     .overflow_bytes = candidate.predicted.prediction.overflow_bytes,
                     .may_lose = candidate.predicted.prediction.may_lose,
                     .small_windows = candidate.predicted.prediction.small_windows,
                     .bound_s = candidate.predicted.prediction.bound_s};
    if (second)
        times.second = second(candidate.choice);
    return times;
}

std::optional<SafeChoice> quickest_safe(const Ranking& usual, const SecondTime& second,
                                        const TimesElsewhere& elsewhere, bool of_library) {
    const auto* const own = library_choice(usual);
    if (!own)
        return std::nullopt;
    auto library = times_of(*own, second);
    if (elsewhere)
        library.elsewhere = elsewhere(own->choice);
    const SafeChoice none{own->choice, library, library, own->measured_s.has_value()};
    auto best = none, best_measured = none;
    bool any_measured = false;
    for (const auto& candidate : usual.candidates) {
        const bool may_run =
            of_library ? !candidate.choice.is_default() : candidate.choice.algorithm != nullptr;
        if (!may_run)
            continue;
        auto times = times_of(candidate, second);
        // Times on other spreads take as many simulations again.
        if (elsewhere && chance_of_loss(times, library) < most_likely_chance)
            times.elsewhere = elsewhere(candidate.choice);
        if (!is_safe(times, library))
            continue;
        const bool measured = candidate.measured_s.has_value();
        const SafeChoice safe{candidate.choice, times, library, measured};
        // With one time each the ranking's order is that of preference.
        if (best.choice == own->choice || times.over(best.times) < 1 / worth_gaining)
            best = safe;
        if (measured && (!any_measured || times.over(best_measured.times) < 1))
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
    constexpr Estimate unit_s{1, 1, 1};
    const StartTimes unit{{unit_s}, KnownTime{unit_s}};
    std::vector<std::pair<double, Choice>> hopeful;
    for (const auto& candidate : usual.candidates)
        if (candidate.choice.algorithm) {
            const auto times = times_of(candidate, second);
            if (!to_beat || chance_of_slower(times, *to_beat) < hopeless)
                hopeful.emplace_back(times.over(unit), candidate.choice);
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
    return [=](const Choice& choice) -> std::optional<KnownTime> {
        const auto time = evaluate(*after, collective, clusters, size_bytes, choice);
        return time ? std::optional(known_time(*time)) : std::nullopt;
    };
}

} // namespace alltold

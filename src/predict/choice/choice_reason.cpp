// SPDX-License-Identifier: BSD-3-Clause
// The tests that rules passed (safe_choice), in words.
#include "predict/choice/choice_reason.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/units.hpp"
#include "predict/choice/safe_choice.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/parameters/resolve.hpp"

namespace alltold {
namespace {

/// Times of choices from both starts.
class Times {
  public:
    Times(const Network& network, StartMode usual, const Ranking& ranking)
        : network_(network), usual_(usual), ranking_(ranking),
          second_(second_times(network, ranking)) {}

    std::optional<StartTimes> of(const Choice& choice) const {
        const auto& [collective, clusters, size_bytes] =
            std::tie(ranking_.collective, ranking_.clusters, ranking_.size_bytes);
        const auto resolved =
            resolve({collective, clusters, size_bytes}, &network_, {.choice = choice});
        if (!resolved)
            return std::nullopt;
        const auto evaluated = evaluate(network_, collective, clusters, size_bytes, *resolved);
        return evaluated ? std::optional(times_of(*evaluated, second_)) : std::nullopt;
    }

    /// "X takes 514 ms, mpi 505 ms, after a silence, and 520 ms, mpi 1.35 s, after a barrier", or
    /// "X takes 61 ms, mpi 82 ms, after a silence, and 130 ms, mpi 113 ms, on idle connections".
    std::string comparison(const std::string& name, const StartTimes& ours,
                           const StartTimes& library) const {
        auto text =
            fmt::format("{} {} {}, mpi {}, after {}", name, ours.measured ? "took" : "takes",
                        format_time(ours.usual.time_s.value),
                        format_time(library.usual.time_s.value), what_precedes(usual_));
        if (ours.second && library.second)
            text += fmt::format(
                ", and {}, mpi {}, after {}", format_time(ours.second->time_s.value),
                format_time(library.second->time_s.value), what_precedes(second_start(usual_)));
        constexpr double worth_saying = 1.1;
        if (std::max(ours.small_windows, library.small_windows) > worth_saying)
            text += fmt::format(", and {}, mpi {}, on idle connections",
                                format_time(ours.small_windows * ours.usual.time_s.value),
                                format_time(library.small_windows * library.usual.time_s.value));
        if (waits(ours) || waits(library))
            text += ", with expected waits for losses";
        return text;
    }

  private:
    static bool waits(const StartTimes& times) {
        return times.usual.wait_s > 0 || (times.second && times.second->wait_s > 0);
    }

    const Network& network_;
    StartMode usual_;
    const Ranking& ranking_;
    SecondTime second_;
};

/// Of the candidates that are ours the one with the least time over both starts.
const RankedAlgorithm* quickest_of_ours(const Ranking& ranking, const Times& times) {
    const RankedAlgorithm* quickest = nullptr;
    StartTimes least;
    for (const auto& candidate : ranking.candidates)
        if (candidate.choice.algorithm)
            if (const auto known = times.of(candidate.choice);
                known && (!quickest || known->over(least) < 1)) {
                quickest = &candidate;
                least = *known;
            }
    return quickest;
}

double least_quartile_s(const StartTimes& times) {
    const double usual_s = times.usual.lower_quartile_s;
    return times.second ? std::min(usual_s, times.second->lower_quartile_s) : usual_s;
}

/// Why the library's own runs although its time is known.
ChoiceReason reason_for_library(const Ranking& ranking, const Times& times) {
    const auto library = times.of({});
    const auto* candidate = quickest_of_ours(ranking, times);
    if (!candidate || !library)
        return {"no other time is known"};
    const auto ours = *times.of(candidate->choice);
    const auto compared = times.comparison(text_of(candidate->choice), ours, *library);
    if (ours.over(*library) >= 1)
        return {"nothing is faster on average: " + compared};
    if (may_lose_packets(ours, *library))
        return {compared + ", but may overflow buffers, at a cost that the models do not know",
                true};
    if (slower_than_quick_ones(ours, *library))
        return {fmt::format("{}, but a quarter of its repetitions took at most {}", compared,
                            format_time(least_quartile_s(*library))),
                true};
    if (!is_safe(ours, *library))
        return {fmt::format("{}, but may be slower: the odds are {:.0f} %", compared,
                            100 * chance_of_loss(ours, *library)),
                true};
    return {compared + ", but nothing is faster at all sizes and ranks of this rule", true};
}

} // namespace

ChoiceReason reason_for(const Network& network, StartMode usual, const Ranking& ranking,
                        const Rule* rule) {
    const auto call = call_text(ranking.clusters, ranking.size_bytes);
    if (!rule)
        return {fmt::format("no rule covers {}", call), true};
    if (!library_known(network, ranking.collective, ranking.clusters, ranking.size_bytes) &&
        rule->choice.is_default())
        return {fmt::format("no call of the MPI library near {} was measured", call), true};
    const Times times(network, usual, ranking);
    if (rule->choice.is_default())
        return reason_for_library(ranking, times);
    const auto ours = times.of(rule->choice), library = times.of({});
    if (!ours || !library)
        return {"the rule for nearby calls selects it", !library};
    const auto* first = first_runnable(ranking);
    auto text = times.comparison("it", *ours, *library);
    if (rule->start)
        text += fmt::format("; its rule is for calls after {}", what_precedes(*rule->start));
    if (first->choice.algorithm && first->choice.algorithm != rule->choice.algorithm)
        text += fmt::format("; {}", first->overflows_unmeasured()
                                        ? fmt::format("{} may overflow buffers, at a cost that "
                                                      "the models do not know",
                                                      first->choice.algorithm->name)
                                        : "its rule covers calls near this one, too");
    return {text};
}

} // namespace alltold

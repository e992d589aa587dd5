// SPDX-License-Identifier: BSD-3-Clause
// Whether an algorithm may run in place of the MPI library's own.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "core/estimate.hpp"
#include "network/network.hpp"
#include "predict/rank.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// With at most this probability a rule's algorithm is more than 3 % slower than the library's own.
inline constexpr double most_chance_of_loss = 0.05;

/// Below this chance of a loss ours is likely faster, which is enough near calls at which it was
/// measured to win, and with small windows.
inline constexpr double most_likely_chance = 0.25;

/// From this chance on one time is surely longer than another.
inline constexpr double surely = 0.95;

/// The ratio of two times from which on a gain counts, and up to which a choice may lose from one
/// start if it gains from the other. Smaller ratios are a tie.
inline constexpr double worth_gaining = 1.03;

/// A call's time from one start, as decisions take it.
struct KnownTime {
    Estimate time_s;                    ///< RankedAlgorithm::known_s
    double lower_quartile_s = INFINITY; ///< RankedAlgorithm::lower_quartile_s
    /// Prediction::lossless_s: the time is not below it, so that it is not likelier to be short.
    std::optional<Estimate> lossless_s = {};
};

/// A call's times from the usual start, and from the second one where that is known. A rule covers
/// all calls of as many ranks, so its times are those of several spreads over the clusters.
struct StartTimes {
    KnownTime usual;
    std::optional<KnownTime> second = {};
    bool loses_packets = false; ///< in a call that was not measured (overflows_unmeasured)
    bool measured = false;      ///< at this very call
    double overflow_bytes = 0;  ///< what buffers cannot hold; infinite where that is not known
    bool may_lose = false;      ///< buffers overflow, or do if ranks start a little apart
    double small_windows = 1;   ///< so many times as long then (Prediction::small_windows)
    double bound_s = 0;         ///< what no call beats (Prediction::bound_s); 0 if not known
    /// On other spreads of as many ranks, the same ones for all choices; infinite if not known.
    std::vector<StartTimes> elsewhere = {};

    /// The ratio of mean times to those of `other`: the geometric mean over the starts that both
    /// have, connections with large and small windows, and the spreads on which `other` is known.
    /// Of two algorithms that are equally quick in half of the calls, the more certain one has the
    /// smaller mean.
    double over(const StartTimes& other) const;
};

/// How likely `one` is slower than `other`, on average over the starts, connections with large and
/// small windows, and the spreads on which `other` is known, if their errors are independent. No
/// time is below its bound, and that of `other` not below its time without losses.
double chance_of_slower(const StartTimes& one, const StartTimes& other);

/// By which share `chosen` is expected to be longer than `other`, where it is: their errors are
/// taken to be independent. At most 2, which is also taken where an interval has no end.
double expected_loss(const Estimate& chosen, const Estimate& other);

/// How likely `ours` is more than 3 % slower than `library`, averaged in the same way; more than
/// 10 % from a start from which it is expected to lose at most 3 %, if from the other one it surely
/// gains 30 %: a program's calls come from either. The errors of both are taken to be alike in
/// part, as those of predictions are, unless ours loses packets in a call that was not measured.
double chance_of_loss(const StartTimes& ours, const StartTimes& library);

/// Whether that is likely with small windows on any spread: connections of programs that compute
/// for a while before each call are idle, so that large windows do not make up for it.
bool likely_loses_with_small_windows(const StartTimes& ours, const StartTimes& library);

/// Whether ours loses packets on any spread in a call that was not measured, unless the library's
/// own loses far more: models do not know what a loss costs, but that it costs both.
bool may_lose_packets(const StartTimes& ours, const StartTimes& library);

/// Whether ours is more than 3 % slower than a quarter of the measured repetitions of the library's
/// own, where these are far quicker than their median: whether the others take a time-out depends
/// on what ran before, so a program may see none.
bool slower_than_quick_ones(const StartTimes& ours, const StartTimes& library);

/// Whether ours is expected to gain 3 %, or 10 % if it may lose packets and the library's own does
/// not, and has a chance of loss below `limit` on average (below most_chance_of_loss if it loses
/// packets in a call that was not measured) and below most_likely_chance on each spread, and
/// neither may_lose_packets, likely_loses_with_small_windows nor slower_than_quick_ones.
bool likely_faster(const StartTimes& ours, const StartTimes& library,
                   double limit = most_likely_chance);

/// Whether ours is likely_faster with most_chance_of_loss as the limit. With two starts the chance
/// is the average, because a program's calls come from either, and from one of them the chance of
/// being slower at all must be that low.
bool is_safe(const StartTimes& ours, const StartTimes& library);

/// What may run, with its times and those of the library's own choice.
struct SafeChoice {
    Choice choice;
    StartTimes times;
    StartTimes library;
    bool measured = false; ///< at this very call
};

/// With what a loss is expected to cost where the predicted time has none (may_wait_unmeasured).
KnownTime known_time(const RankedAlgorithm& candidate);

/// The time of a ranked choice from the second start; empty where it is not known.
using SecondTime = std::function<std::optional<KnownTime>(const Choice&)>;

/// A choice's times on other spreads of as many ranks (StartTimes::elsewhere).
using TimesElsewhere = std::function<std::vector<StartTimes>(const Choice&)>;

/// A choice's times as ranked from the usual start, and from the second one.
StartTimes times_of(const RankedAlgorithm& candidate, const SecondTime& second);

/// The quickest of our algorithms that is safe, or, `of_library`, of the library's own; its own
/// choice if none is. Where their times are a tie (worth_gaining) the ranking's order decides.
/// Measured times take precedence over predictions
/// (RankedAlgorithm::known_s), and a measured choice comes first unless another is surely faster.
/// Empty if the time of the library's own choice is not known.
std::optional<SafeChoice> quickest_safe(const Ranking& usual, const SecondTime& second = {},
                                        const TimesElsewhere& elsewhere = {},
                                        bool of_library = false);

/// Those of our algorithms that may be more than 3 % faster than the library's own, at most `most`,
/// fastest first.
std::vector<Choice> promising_choices(const Ranking& usual, const SecondTime& second,
                                      std::size_t most);

/// The network for calls from the second start; empty unless both the library's calls and ours were
/// measured from there, on one cluster or on several as `hosts` are.
std::optional<Network> from_second_start(const Network& network, Collective collective,
                                         const Clusters& hosts);

/// The second times of the ranking's call; empty where from_second_start is or where the library's
/// own is not known (library_known).
SecondTime second_times(const Network& network, const Ranking& ranking);

} // namespace alltold

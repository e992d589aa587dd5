// SPDX-License-Identifier: BSD-3-Clause
// How likely one time of a call is longer than another.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "core/estimate.hpp"

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
    double wait_s = 0; ///< of time_s, RankedAlgorithm::expected_wait_s
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

/// The same times, each so many times as long.
KnownTime scaled(KnownTime known, double factor);
StartTimes scaled(StartTimes times, double factor);

} // namespace alltold

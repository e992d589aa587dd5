// SPDX-License-Identifier: BSD-3-Clause
// Whether an algorithm may run in place of the MPI library's own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "network/network.hpp"
#include "predict/choice/odds.hpp"
#include "predict/choice/rank.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// What may run, with its times and those of the library's own choice.
struct SafeChoice {
    Choice choice;
    StartTimes times;
    StartTimes library;
    bool measured = false; ///< at this very call
};

/// With what a loss is expected to cost where the predicted time has none (expected_wait_s).
KnownTime known_time(const RankedAlgorithm& candidate);

/// The time of a ranked choice from the second start; empty where it is not known.
using SecondTime = std::function<std::optional<KnownTime>(const Choice&)>;

/// A choice's times on other spreads of as many ranks (StartTimes::elsewhere).
using TimesElsewhere = std::function<std::vector<StartTimes>(const Choice&)>;

/// A choice's times as ranked from the usual start, and from the second one.
StartTimes times_of(const RankedAlgorithm& candidate, const SecondTime& second);

/// The quickest of our algorithms that is safe, or, `of_library`, of the library's own; its own
/// choice if none is. Where their times are a tie (worth_gaining) the ranking's order decides.
/// Measured times take precedence over predictions (RankedAlgorithm::known_s), and a measured
/// choice comes first unless another is surely faster. Empty if the time of the library's own
/// choice is not known.
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

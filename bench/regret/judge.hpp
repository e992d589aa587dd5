// SPDX-License-Identifier: BSD-3-Clause
// Judges a choice by the times of several in one call, as bench/lib/times.jq does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "network/collective_probe.hpp"
#include "predict/choice/choice.hpp"
#include "schedule/specification.hpp"
#include "topology/clusters.hpp"

namespace alltold::regret {

/// A choice that was timed fewer times is not judged.
inline constexpr std::size_t least_times = 4;

/// One row of what `alltold run --json` prints for a call.
struct TimedChoice {
    Choice choice;
    std::vector<double> times_s;
    bool by_rules = false; ///< the choice of the rules at that time
    /// Not timed to the end, because its quickest repetition took 1.5 times as long as the best.
    bool dropped = false;
};

struct TimedCall {
    Collective collective = Collective::bcast;
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0;
    StartMode start = StartMode::silence;
    std::vector<TimedChoice> timed;

    /// "alltoall 2+5, 4022 B", and the start if it is not a silence.
    std::string text() const;
};

enum class Judged {
    yes,
    too_few,   ///< the choice or the library's own was timed fewer than four times
    not_timed, ///< nor was its algorithm with any other parameters
};

/// By ratios of medians.
struct Verdict {
    Judged judged = Judged::not_timed;
    std::string chosen;      ///< as timed, which may be with other parameters than decided
    double apart = 1;        ///< the factor between these and the decided ones; 1: the same
    bool changed = false;    ///< it is not what the rules chose when the call was timed
    std::string best;        ///< of all that was timed
    double loss = 0;         ///< share by which the choice took longer than the best
    double loss_error = 0;   ///< standard error of that
    double over_library = 0; ///< share by which it took longer than the library's own; may be < 0
    bool slower = false;     ///< than the library's own, by more than 3 % beyond noise
    double gain = 0;         ///< log of the library's time over the choice's, at least 0
    double tried_gain = 0;   ///< the same of what is best of the rule's candidates and `mpi`
    double best_gain = 0;    ///< the same of the best; all are 0 where the best gains only noise
};

/// Every other repetition decides which choice is the best, the others what it gains. `decided`:
/// all candidates of the rule, that which runs first.
Verdict judge(const TimedCall& call, std::span<const Choice> decided);

} // namespace alltold::regret

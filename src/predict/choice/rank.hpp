// SPDX-License-Identifier: BSD-3-Clause
// Ranks the algorithms for a collective.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/estimate.hpp"
#include "network/network.hpp"
#include "predict/algorithm_prediction.hpp"
#include "predict/choice/choice.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// An algorithm with its best parameters and its predicted time. Times in seconds.
struct RankedAlgorithm {
    Collective collective = Collective::alltoall;
    Choice choice;
    /// Of `choice`, or of the algorithm of ours that stands for the library's. Its model is
    /// "measured" where times of the library's are known.
    AlgorithmPrediction predicted = {};
    std::optional<Estimate> measured_s = {}; ///< the measured time of this call, if any
    /// MeasuredCall::lower_quartile_s of this call; infinite where there is none.
    double lower_quartile_s = INFINITY;
    /// Fan-in: ranks that may send to one rank at once under the schedule; 0: not known.
    int fan_in = 0;
    bool several_clusters = false; ///< the call's ranks are in more than one

    /// Predicted, with the interval of a median that is still to be measured.
    const Estimate& time_s() const { return predicted.prediction.time_s; }
    /// The time on which decisions rest: the measured one, or both together if the prediction
    /// agrees with it and has the narrower interval, as after few repetitions of which some had a
    /// time-out.
    Estimate known_s() const;
    /// Whether it loses packets, or may because it nearly fills a buffer, in a call that was not
    /// measured. Models predict the cost of losses too inaccurately, unless it was measured in
    /// other calls.
    bool overflows_unmeasured() const;
    /// What a call that was not measured is expected to wait for losses that its time does not
    /// include. One of ours: if it overflows buffers (but for gathers), overflows them only if
    /// ranks start a little apart, or fills them. The library's own: if it is an all-to-all that
    /// may lose packets and is predicted to have no time-outs. In seconds.
    double expected_wait_s() const;
};

/// An algorithm that could not be predicted, and why.
struct Unranked {
    std::string name;
    std::string why;
};

/// "n = 6+6, m = 1 MiB"
std::string call_text(const Clusters& clusters, std::uint64_t size_bytes);

struct Ranking {
    Collective collective = Collective::alltoall;
    Clusters clusters{{1}};
    std::uint64_t size_bytes = 0;
    std::vector<RankedAlgorithm> candidates; ///< best first
    std::vector<Unranked> unranked;
};

/// Quickest first, where one that overflows buffers at a cost that is not known counts 5 % more;
/// except among those that the models cannot distinguish from the quickest (overlapping intervals
/// and at most 5 % more, or at most 1 % more): there those without such a loss come first, then the
/// smallest fan-in, then the fewest parameters.
void put_in_order(std::vector<RankedAlgorithm>& candidates);

/// Ranks every algorithm of `collective` that suits the hosts of `clusters`, root 0, with the
/// parameters that `resolve` finds and with those that were measured at this call. Includes the
/// library's own choice and its forced algorithms if the network knows their times. In the order of
/// put_in_order. Algorithms without a closed form are simulated up to a few thousand messages and
/// estimated beyond that, as `method` shows. Fails if nothing can be predicted. Not for alltoallv.
///
/// `simulations` holds those of earlier rankings on the same network and receives those of this
/// one; it saves time without changing the result.
Result<Ranking> rank(const Network& network, Collective collective, const Clusters& clusters,
                     std::uint64_t size_bytes, SimulationCache* simulations = nullptr);

/// The first candidate that a program can use: one of our algorithms, or the library's own choice.
/// Null if there is none.
const RankedAlgorithm* first_runnable(const Ranking& ranking);

/// The library's own choice; null if its time is not known.
const RankedAlgorithm* library_choice(const Ranking& ranking);

/// The ranking's entry for one algorithm with exactly these parameters; a window of 0 means no
/// limit.
Result<RankedAlgorithm> evaluate(const Network& network, Collective collective,
                                 const Clusters& clusters, std::uint64_t size_bytes,
                                 const Choice& choice, SimulationCache* simulations = nullptr);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// What searches of parameters make least.
#pragma once

#include "network/cost_model.hpp"
#include "predict/timing/algorithm_timer.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

class SimulationCache;

/// Limit of one simulation in rankings and searches; keeps a ranking of 1,024 ranks within a few
/// hundredths of a second.
inline constexpr double most_estimated_messages = 3072;

/// A call for which parameters are searched. Everything must outlive it.
struct SearchedCall {
    const Network& network;
    const Algorithm& algorithm;
    const Specification& specification; ///< of the algorithm's own collective
    const Clusters& clusters;
    const CostModel& model;
    bool corrected;               ///< by measured calls (likely_s)
    SimulationCache& simulations; ///< saves time, changes nothing
};

/// Bounds the time of a search: calls of more messages are estimated.
Effort search_effort(const SearchedCall& call);

/// What a search makes least: the geometric mean of the times on connections with large and with
/// small windows, since a program's calls come on both. Small windows hold few packets, so that
/// short segments wait more often.
double cost_s(const SearchedCall& call, const Parameters& parameters, const ModelTime& time);

} // namespace alltold

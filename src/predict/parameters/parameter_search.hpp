// SPDX-License-Identifier: BSD-3-Clause
// Parameters found by prediction: the best segment size, and lg_small's window.
#pragma once

#include "predict/timing/algorithm_timer.hpp"

namespace alltold {

class SimulationCache;

/// Limit of one simulation in rankings and searches; keeps a ranking of 1,024 ranks within a few
/// hundredths of a second.
inline constexpr double most_estimated_messages = 3072;
/// A quarter, for trials, of which there are many and which programs verify.
inline constexpr double most_rough_messages = 768;

/// A call for which parameters are searched. Everything must outlive it.
struct SearchedCall {
    const Network& network;
    const Algorithm& algorithm;
    const Specification& specification; ///< of the algorithm's own collective
    const Clusters& clusters;
    const CostModel& model;
    bool corrected;               ///< by measured calls (likely_s)
    SimulationCache& simulations; ///< saves time, changes nothing
    bool rough = false;           ///< for trials, in less time
};

/// Bounds the time of a search: calls of more messages are estimated.
Effort search_effort(const SearchedCall& call);

/// The cost that a search makes least: the geometric mean of the times on connections with large
/// and with small windows, since a program's calls come on both. Small windows hold few packets, so
/// that short segments wait more often.
double cost_s(const SearchedCall& call, const Parameters& parameters, const ModelTime& time);

/// The model for searches: `wanted`, else the preferred one. Null if it cannot time the algorithm.
const CostModel* search_model(const Network& network, const Algorithm& algorithm,
                              const Clusters& clusters, std::uint64_t size_bytes,
                              const CostModel* wanted);

/// The segment size for which the model's time, corrected or not, is least on connections with
/// large and small windows alike (ModelTime::small_windows), in units (segment_unit_bytes), at most
/// the message; where links charge nothing for a message, not so small that start-ups would matter.
/// Uses an exact closed form if there is one, else at most about twenty simulations of a few
/// thousand messages each. `accepts` must hold for `parameters` with any segment. The same on every
/// rank that knows the same network.
Result<std::uint64_t> find_segment(const SearchedCall& call, const Parameters& parameters);

/// Windows for which alltoall.lg_small is neither lg nor all direct: the sizes of the smaller
/// cluster of every pair, except the largest such size. Ascending.
std::vector<int> crossover_windows(const Clusters& clusters);

/// Whether the algorithm's window is one of those (alltoall.lg_small).
bool takes_crossover_window(const Algorithm& algorithm);

/// Fails for such an algorithm where there is none: it is then no algorithm of its own.
Status check_crossover(const Algorithm& algorithm, const Clusters& clusters);

/// The window of crossover_windows with the least such time; there must be at least one.
Result<int> find_crossover_window(const SearchedCall& call, Parameters parameters);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Parameters found by prediction: the best segment size, lg_small's window, and the paced
// exchange's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/result.hpp"
#include "network/cost_model.hpp"
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

/// The model for searches: `wanted`, else the preferred one. Null if it cannot time the algorithm.
const CostModel* search_model(const Network& network, const Algorithm& algorithm,
                              const Clusters& clusters, std::uint64_t size_bytes,
                              const CostModel* wanted);

/// The segment size for which the model's time, corrected or not, is least on connections with
/// large and small windows alike (AlgorithmTime::small_windows), in packets (in_packets), at most
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

/// Segment and windows of a paced exchange across clusters with which it takes least such time and
/// overflows nothing, as far as simulations tell. Tries it without limits, as `given`, and descends
/// from packets that take turns without limits and from limited_pace, also with other segments and
/// fewer in flight within clusters. limited_pace where all overflow. About thirty simulations of a
/// few thousand messages each. The same on every rank that knows the same network.
Parameters find_pace(const SearchedCall& call, const Parameters& given);

} // namespace alltold

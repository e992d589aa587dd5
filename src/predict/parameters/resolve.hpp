// SPDX-License-Identifier: BSD-3-Clause
// Decides what a call leaves open: the algorithm, its segment, its windows.
#pragma once

#include "network/cost_model.hpp"
#include "predict/rules/choice_table.hpp"

namespace alltold {

class SimulationCache;

/// The call to find parameters for.
struct CollectiveCall {
    Collective collective = Collective::alltoall;
    Clusters clusters{{1}}; ///< of all its ranks
    /// Of one block. Ignored for a barrier, and for an all-to-all-v, since no rank knows all of its
    /// sizes: parameters are then those of long blocks.
    std::uint64_t size_bytes = 0;
    int root = 0;
};

/// Options of the caller.
struct CallOptions {
    std::optional<Choice> choice = {};      ///< with any given parameters
    const ChoiceTable* rules = nullptr;     ///< decide without a choice; may be null
    const CostModel* model = nullptr;       ///< of searches; null: the preferred one
    bool corrected = true;                  ///< searches correct times by measured calls
    bool rough = false;                     ///< searches are for trials, and take less time
    SimulationCache* simulations = nullptr; ///< saves time, changes nothing; may be null
};

/// The fallback parameters. With fewer segments in flight, a rank that is late leaves a port idle.
inline constexpr std::uint64_t default_segment_bytes = 8192;
inline constexpr int default_window = 4, default_inter_cluster_window = default_window;
/// Parameters of an all-to-all-v are found by this size; a model that knows a queue times what
/// overflows it.
inline constexpr std::uint64_t long_block_bytes = 1 << 20;
/// Without knowledge of the network, limits count bytes in flight: the port buffer of a cheap
/// switch, and what 100 Mbit/s carry in 20 ms. Gathers limit the bytes in flight to the root to the
/// first within its cluster and to the second from each other cluster (from all, with a single
/// window); paced exchanges send without limit if no port or backbone receives more than that, and
/// share a window among the ranks of a host (shared_by) else.
inline constexpr std::uint64_t default_port_bytes = 64 * 1024;
inline constexpr std::uint64_t default_backbone_bytes = 256 * 1024;

/// Tells `algorithm`, if it takes clusters, those of the call: where they are several or have hosts
/// with several ranks.
void set_clusters(Parameters& parameters, const Algorithm& algorithm, const Clusters& clusters);

/// Completes `own` with the parameters that `algorithm` takes, except clusters.
void complete(Parameters& own, const Algorithm& algorithm, const Parameters& from);

/// What runs where neither a choice nor rules decide: a simple algorithm of ours without
/// parameters, or the MPI library's own.
Choice usual_choice(Collective collective);

/// Whether `resolve` searches by prediction for the windows of such a choice.
bool searches_windows(const Choice& choice);

/// The choice of an algorithm with only those parameters that `resolve` searches by prediction:
/// the others it finds at once, so that a rule need not state them.
Choice searched_only(Choice choice);

/// The algorithm that runs `call`, with every parameter it takes: those of `options`, completed.
/// Without a choice the rules decide; without either it is the usual one.
///
/// Segments and windows of those that may take both (alltoall.paced), and windows of gathers come
/// from the links of `network` (paced_parameters, gather_windows), or from byte limits if it knows
/// no links; windows of all-to-alls by hosts (alltoall.host_leader and the like) from what a port's
/// buffer holds of their messages. Other segment sizes, the window of alltoall.lg_small, and those
/// of alltoall.paced across clusters (from paced_parameters on) are searched for by prediction
/// (parameter_search); the first two take the default if `network` has no model for them.
/// `network` may be null. A window of 0 in the result means no limit.
///
/// Pure, and the same on every rank for the same arguments. Subcommands, rankings, rules and the
/// library all use this function. A search simulates for some milliseconds: keep the result for
/// repeated calls. Fails as `accepts` does.
Result<Choice> resolve(const CollectiveCall& call, const Network* network,
                       const CallOptions& options);

} // namespace alltold

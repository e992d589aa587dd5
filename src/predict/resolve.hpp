// SPDX-License-Identifier: BSD-3-Clause
// The one place that decides what a call leaves open: the algorithm, its segment, its windows.
#pragma once

#include <cstdint>
#include <optional>

#include "network/cost_model.hpp"
#include "predict/choice_table.hpp"

namespace alltold {

class SimulationCache;

/// What parameters are found from besides the network.
struct CollectiveCall {
    Collective collective = Collective::alltoall;
    Clusters clusters{{1}}; ///< of all its ranks
    /// Of one block. Not looked at for an all-to-all-v, whose sizes no rank knows all of:
    /// parameters are then those of long blocks.
    std::uint64_t size_bytes = 0;
    int root = 0;
};

/// What the caller asks for.
struct CallOptions {
    std::optional<Choice> choice = {};        ///< with the parameters given with it
    const ChoiceTable* rules = nullptr;       ///< decide where there is no choice; may be null
    const CostModel* model = nullptr;         ///< of searches; null: the preferred one
    SimulationCache* simulations = nullptr;   ///< saves time, changes nothing; may be null
};

/// What an algorithm takes when none is asked for and nothing better can be found.
inline constexpr std::uint64_t default_segment_bytes = 8192;
inline constexpr int default_window = 4;
inline constexpr int default_inter_cluster_window = 4;
/// Where nothing is known of the network bytes are counted: what ports of cheap switches hold, and
/// what 100 Mbit carry in 20 ms. Gathers have so many on their way to the root within its cluster,
/// and from each other one (from all where there is one window for both); alltoall.paced holds
/// nothing back where no port or backbone gets more.
inline constexpr std::uint64_t default_port_bytes = 64 * 1024;
inline constexpr std::uint64_t default_backbone_bytes = 256 * 1024;

/// Fills in what `algorithm` takes and `own` lacks, clusters apart.
void complete(Parameters& own, const Algorithm& algorithm, const Parameters& from);

/// The algorithm that runs `call`, with every parameter it takes: those of `options`, and what
/// these leave open. Without a choice the rules decide; without either it is the library's own.
///
/// Windows of alltoall.paced and of gathers come from the links of `network` (paced_parameters,
/// gather_windows), from bytes where it knows none. A segment size that must be given is searched
/// for by prediction, and so is the window of alltoall.lg_small (parameter_search); both take
/// the default where `network` has no model for it. `network` may be null. A window of 0 in the
/// result means no limit.
///
/// Pure, and the same on every rank that passes the same: subcommands, rankings, rules and the
/// library call this and nothing else. A search simulates, some milliseconds in all: keep what it
/// returns for calls that repeat. Fails as `accepts` does.
Result<Choice> resolve(const CollectiveCall& call, const Network* network,
                       const CallOptions& options);

} // namespace alltold

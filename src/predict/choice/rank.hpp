// SPDX-License-Identifier: BSD-3-Clause
// Ranks the algorithms for a collective.
#pragma once

#include <set>

#include "predict/call_time.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {

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
    std::vector<CallTime> candidates; ///< best first
    std::vector<Unranked> unranked;
};

/// Quickest first; but among those at most 1 % slower than the quickest first what loses no
/// packets at an unknown cost, then the smallest fan-in, because ports that many ranks send to lose
/// packets, which not every model includes, then the fewest parameters.
void put_in_order(std::vector<CallTime>& candidates);

/// Leaves out times of unseen growth where the library's own is not such: of many guesses the
/// quickest is mostly too quick.
void leave_out_unseen_growth(Ranking& ranking);

/// "mpi" and the names of all measured algorithms that are not ours.
std::set<std::string> library_names(const Network& network, Collective collective);

/// Ranks every algorithm of `collective` that suits the hosts of `clusters`, root 0, with the
/// parameters that `resolve` finds and with those that were measured at this call. Includes the
/// library's own choice and its forced algorithms if the network knows their times. In the order of
/// put_in_order. Algorithms without a closed form are simulated up to a few thousand messages and
/// estimated beyond that, as `method` shows. Fails if nothing can be predicted. Not for alltoallv.
///
/// `simulations` holds those of earlier rankings on the same network and receives those of this
/// one; it saves time without changing the result. `rough` times, for trials, take less:
/// simulations are shorter, and intervals are those of models alone, without their parameters'.
Result<Ranking> rank(const Network& network, Collective collective, const Clusters& clusters,
                     std::uint64_t size_bytes, SimulationCache* simulations = nullptr,
                     bool rough = false);

/// The library's own choice; null if its time is not known.
const CallTime* library_choice(const Ranking& ranking);

/// The ranking's entry for one algorithm with exactly these parameters; a window of 0 means no
/// limit.
Result<CallTime> evaluate(const Network& network, Collective collective, const Clusters& clusters,
                          std::uint64_t size_bytes, const Choice& choice,
                          SimulationCache* simulations = nullptr, bool rough = false);

} // namespace alltold

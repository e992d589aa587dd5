// SPDX-License-Identifier: BSD-3-Clause
// All that could carry out a collective, best first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/estimate.hpp"
#include "network/network.hpp"
#include "predict/choice.hpp"
#include "predict/simulation_cache.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// An algorithm with its best parameters, and what it will take. Times in seconds.
struct RankedAlgorithm {
    Choice choice;
    Estimate time_s;
    double bound_s = 0; ///< the larger of NIC and WAN bound; 0 where no rate is known
    std::string model;  ///< "plogp", ...; "measured" for the library's own
    std::string method; ///< closed form, "simulated", "extrapolated from ..."
    /// Ranks that may send to one at once, as far as the schedule holds none back; 0: not known.
    int fan_in = 0;
    std::vector<std::string> caveats;
};

/// An algorithm that could not be predicted, and why.
struct Unranked {
    std::string name;
    std::string why;
};

struct Ranking {
    Collective collective = Collective::alltoall;
    Clusters clusters{{1}};
    std::uint64_t size_bytes = 0;
    std::vector<RankedAlgorithm> candidates; ///< best first
    std::vector<Unranked> unranked;
};

/// Every algorithm of `collective` that can run on `clusters`, root 0, with the parameters that
/// `resolve` finds, and the library's own, as it decides and as it can be told to, where the
/// network knows its times. Quickest first; but of those that the models cannot tell from the
/// quickest (intervals that meet and at most 5 % more, or 1 % more) the one with the smallest
/// fan-in comes first, and the one with the fewest parameters among those. What has no closed form
/// is simulated up to a few thousand messages, beyond that estimated: `method` says so. Fails where
/// nothing can be predicted. Not for alltoallv.
///
/// `simulations` are of earlier rankings on the same network, and keeps this one's simulations; it
/// saves time and changes nothing.
Result<Ranking> rank(const Network& network, Collective collective, const Clusters& clusters,
                     std::uint64_t size_bytes, SimulationCache* simulations = nullptr);

/// The first that a program's collectives can be run by: ours, or the library as it decides
/// itself. Null where there is none.
const RankedAlgorithm* first_runnable(const Ranking& ranking);

/// One of them with exactly these parameters, a window of 0 meaning no limit: what rank would say
/// of it.
Result<RankedAlgorithm> evaluate(const Network& network, Collective collective,
                                 const Clusters& clusters, std::uint64_t size_bytes,
                                 const Choice& choice, SimulationCache* simulations = nullptr);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// How long the library's algorithms take when they are forced, measured or by our equal schedules.
#pragma once

#include "predict/choice/rank.hpp"

namespace alltold {

struct Network;
class SimulationCache;

/// The time of the library's own choice or of an algorithm without a schedule, by the growth of its
/// measured calls on as many clusters with as many ranks per host. Fails (status `no`) where fewer
/// than two were measured.
Result<CallTime> grown_time(const Network& network, Collective collective, const Clusters& clusters,
                            std::uint64_t size_bytes, const Choice& choice,
                            SimulationCache* simulations = nullptr);

/// The time of the library's own choice, or of one of its algorithms: measured or between
/// measurements, else that of the counterpart. Fails where neither is known.
Result<CallTime> evaluate_library(const Network& network, MpiLibrary library, Collective collective,
                                  const Clusters& clusters, std::uint64_t size_bytes,
                                  const Choice& choice, SimulationCache* simulations = nullptr);

/// The library's own choice and those of its algorithms whose time is known, quickest first; of
/// `other`, all that were measured, whatever their names.
/// Segments are those for which the counterpart is quickest, a power of two in packets.
/// Fails where the time of the library's own choice is not known.
Result<Ranking> rank_library(const Network& network, MpiLibrary library, Collective collective,
                             const Clusters& clusters, std::uint64_t size_bytes,
                             SimulationCache* simulations = nullptr);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Times of algorithms that are known by measured calls alone.
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "predict/call_time.hpp"
#include "topology/clusters.hpp"

namespace alltold {

struct Network;
class SimulationCache;

/// The time of the library's own choice or of an algorithm without a schedule, by the growth of its
/// measured calls on as many clusters with as many ranks per host. Fails (status `no`) where fewer
/// than two were measured.
Result<CallTime> grown_time(const Network& network, Collective collective, const Clusters& clusters,
                            std::uint64_t size_bytes, const Choice& choice,
                            SimulationCache* simulations = nullptr);

} // namespace alltold

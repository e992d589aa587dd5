// SPDX-License-Identifier: BSD-3-Clause
// Simulation of a call on a network as its model says.
#pragma once

#include "network/cost_model.hpp"
#include "simulate/simulate.hpp"

namespace alltold {

/// The time of a copy within a rank's memory, at the rate of copies between two ranks of a host,
/// measured or assumed; nothing where neither is there.
Hockney copy_time(const Network& network);

/// How fast the network's ranks copy and combine, at this value or end of the rate, and which of
/// their sends are complete at once: those of at most the MPI library's eager limit, if it is
/// known.
simulate::Options options_of(const Network& network, double Estimate::*rate = &Estimate::value);

/// Simulates the graph on the network; `clusters` hold its ranks.
Result<simulate::Times> run_on(const Simulated& network, const simulate::EventGraph& graph,
                               const Clusters& clusters, const simulate::Options& options);

} // namespace alltold

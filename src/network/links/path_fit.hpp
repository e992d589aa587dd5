// SPDX-License-Identifier: BSD-3-Clause
// Rate, one-way delay and queue of the paths between clusters.
#pragma once

#include "network/fitting.hpp"
#include "network/links/link_network.hpp"

namespace alltold {

/// One backbone for all pairs of clusters: from floods between them, else from concurrent flows
/// (`carried` are those between the first two clusters), with the delay of path_latency. Where
/// pairs differ it has the slowest rate, the longest delay and the smallest queue, intervals that
/// reach to the others, and a note that says so. Empty, with a refusal, if nothing shows a rate.
std::optional<Link> fit_paths(Fitting& fitting, const Estimate& port,
                              std::span<const CarriedFlows> carried);

/// The total rate of flows, each between its own hosts of two clusters, by their number: difference
/// in bytes over difference in time of two lengths. Of the first two clusters (-1), or of those
/// where the ranks named begin.
std::vector<CarriedFlows> fit_carried(const Fitting& fitting, int first_rank, int second_rank);

/// Estimates of the backbone's part of a message's latency, one for each pair of clusters: half the
/// difference between the quickest round trips between them and within them, less the time of the
/// smallest message's frame on the wire, which follows from how times grow from 1 B to one packet.
std::vector<std::pair<std::string, Estimate>> path_latencies(const Fitting& fitting);

} // namespace alltold

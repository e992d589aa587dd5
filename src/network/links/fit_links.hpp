// SPDX-License-Identifier: BSD-3-Clause
// Ports, their queues and the backbone, from a campaign's samples.
#pragma once

#include "network/links/port_fit.hpp"

namespace alltold {

/// Sets `network.links` from trains, floods and flows, once `local` and `inter_cluster` are there:
/// the port's goodput as fit_port does, its burst from ping-pongs beside that, start-ups from send
/// calls, else from pLogP, its queue from floods, its latency from ping-pongs, TCP's segments as
/// fit_mss_bytes does, the backbone as fit_paths does, the memory of hosts as fit_memory does.
/// Where the rates or the queues of clusters' ports are apart, each cluster has its own. Refuses by
/// name each parameter that cannot be found.
void fit_links(Fitting& fitting);

/// Payload bytes. If a token bucket shapes the link, a message after a pause takes as long as if it
/// had that many bytes less at the rate of trains, whatever its length. `pingpongs` are one-way
/// times between hosts of one cluster. 0 where at least three sizes do not agree on it, as without
/// a token bucket.
double fit_burst_bytes(std::span<const Series> pingpongs, double goodput_bytes_per_s);

/// From the probe "memory", messages of several sizes between two ranks of one host: the line of
/// fit_rate, whose offset is the latency (at least 0). From "memory_shared", all ranks of a host in
/// pairs at once, the rate of all together: of the hosts with the most pairs at the largest size,
/// the slowest where they differ, with a note that says so; at least one pair's. Refuses (as
/// "memory") what fit_rate refuses, and one probe without the other. Empty without a refusal where
/// neither was measured.
std::optional<LinkNetwork::Memory> fit_memory(Fitting& fitting);

/// Sets the backbone from floods between clusters, else from concurrent flows, with the delays of
/// path_latencies. Where the rates or the queues of pairs are apart, or their delays differ, the
/// links have the path of each pair, and as backbone the slowest rate, the longest delay and the
/// smallest queue. Else it is one for all, with intervals that reach to all. A flood that may have
/// filled the receivers' ports, which are slower than the senders', shows the least that its path
/// carries. Refuses, if nothing shows a rate.
void fit_paths(Fitting& fitting, LinkNetwork& links);

/// A link that suits all of these: the lowest rate, the longest latency and the smallest known
/// queue.
Link worst_of(std::span<const Link> links);

/// The total rate of flows, each between its own hosts of two clusters, by their number: difference
/// in bytes over difference in time of two lengths. Of the first two clusters (-1), or of those
/// where the ranks named begin.
std::vector<CarriedFlows> fit_carried(const Fitting& fitting, int first_rank, int second_rank);

/// Estimates of the backbone's part of a message's latency, one for each pair of clusters: half the
/// difference between the quickest round trips between them and within them, less the time of the
/// smallest message's frame on the wire, which follows from how times grow from 1 B to one packet.
std::vector<OfClusters> path_latencies(const Fitting& fitting);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The points that a campaign measures.
#pragma once

#include "store/campaign.hpp"

namespace alltold::campaign {

/// The points to measure. An empty list means the default.
struct Request {
    std::vector<std::string> only;          ///< names of kinds(), probe.hpp
    std::vector<std::uint64_t> sizes_bytes; ///< of ping-pongs and collectives alike
    std::vector<Clusters> subsets;          ///< hosts, with their ranks, that run collectives
    /// Names of uniform_collectives; by default the studied ones and those of `algorithms`.
    std::vector<std::string> collectives = {};
    /// "all", "everything", "mpi", or choices as parse_choice reads them
    std::vector<std::string> algorithms = {};
    bool floods = true; ///< send bursts that are meant to overflow queues
    /// Few pairs and sizes, for seconds instead of minutes; `only` is then by default p2p, plogp
    /// and links.
    bool rough = false;
};

/// The subsets of "4,6,8,12" or "4,6+6": comma between subsets. A lone number on several clusters
/// is that many hosts of the first. Fails, naming the entry, as Clusters::parse does.
Result<std::vector<Clusters>> parse_subsets(std::string_view text);

/// Fails unless `world` has the hosts and ranks of each of them, two ranks or more.
Status check_subsets(std::span<const Clusters> subsets, const Clusters& world);

/// Every point of every requested probe on `world`; those of a rough request in the order in which
/// they should be measured. Messages between hosts are between their lowest ranks. Fails for an
/// unknown kind, for a subset that `world` lacks, and as the probes do.
Result<std::vector<Point>> make_plan(const Clusters& world, const Request& request);

/// Fails for an unknown collective or algorithm, naming it, for an algorithm of a collective that
/// is not requested, and for sizes where all collectives are barriers, which have none.
Status check_collectives(const Request& request);

/// A few pairs of `world`, which has one rank per host, each listed once. First neighbours within
/// each cluster, so that every host appears (an odd last one with the cluster's first); then, for
/// each pair of clusters, the hosts at equal positions. At most 16, half of them within clusters if
/// there are several; a larger number is thinned out evenly over the hosts.
std::vector<std::pair<int, int>> choose_pairs(const Clusters& world);

/// The pairs of a rough measurement: one of each cluster with two hosts, a second one if there is
/// one cluster only, then the first hosts of each pair of clusters.
std::vector<std::pair<int, int>> rough_pairs(const Clusters& world);

/// The points from which the network's models can be fitted roughly, for CalibrateOptions::rough:
/// rate, latency and buffer of ports, rate, latency and queue of the path between any two clusters.
Result<std::vector<Point>> rough_network_plan(const Clusters& world);

/// The library's all-to-alls from which a signature of each cluster is fitted, from `from_cluster`
/// on: on all of its hosts, where it has two or more. A study measures those of all clusters at a
/// few sizes.
std::vector<Point> alltoalls_within(const Clusters& world, int from_cluster,
                                    std::span<const std::uint64_t> sizes_bytes);
std::vector<Point> alltoalls_within(const Clusters& world);

/// The point of a pair of ranks at one size: its clusters are "2" or "1+1".
Point pair_point(std::string probe, const Clusters& world, std::pair<int, int> pair,
                 std::uint64_t size_bytes);

/// The sets of hosts for measuring collectives: those requested, else a third, half, two thirds and
/// all of the hosts, with all of their ranks; on several clusters those of all clusters together
/// and also those of the largest cluster alone, to learn the behaviour of a single cluster.
std::vector<Clusters> subsets_for(const Clusters& world, const Request& request);

/// The sets of hosts for measuring our algorithms, from which fits learn the errors of models:
/// those requested, else about a third and two thirds of the hosts of all clusters, one a power of
/// two and the other not.
std::vector<Clusters> learning_subsets(const Clusters& world, const Request& request);

std::vector<std::uint64_t> sizes_or(const Request& request, std::vector<std::uint64_t> usual);

/// "pingpong 3-4, 64 KiB" or "alltoall n = 6+6, 1 KiB", with the count, and with the algorithm
/// unless it is the library's own.
std::string describe(const Point& point);

} // namespace alltold::campaign

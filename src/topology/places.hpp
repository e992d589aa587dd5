// SPDX-License-Identifier: BSD-3-Clause
// The cluster and the host of every rank, before ranks are put in order, given or dealt out.
#pragma once

#include <filesystem>

#include "topology/clusters.hpp"

namespace alltold {

/// All hosts as one cluster.
Clusters joined(const Clusters& clusters);

/// `clusters` for n ranks: spread in proportion to their hosts, at least one each; n is at least
/// their number. Hosts have as many ranks as the fullest one of `clusters`, but for the last ones.
Clusters spread(const Clusters& clusters, int n);

/// n ranks, as equally many in each cluster as its hosts allow. As spread() beyond the hosts, and
/// with several ranks per host.
Clusters spread_evenly(const Clusters& hosts, int n);

/// n ranks, one at least in every cluster, else as many as there are hosts in the largest ones. As
/// spread() beyond the hosts, and with several ranks per host.
Clusters spread_unevenly(const Clusters& hosts, int n);

/// By rank, any numbers; see order_by_host.
struct Places {
    std::vector<int> cluster_of;
    std::vector<int> host_of;
    bool operator==(const Places&) const = default;
};

/// The places that `text`, the value of `name`, gives to ranks on the hosts `host_of` (by rank, any
/// numbers, at least one rank). In this order:
/// - As many hosts as there are, "6+6" on twelve: hosts belong to clusters in the order of their
///   lowest ranks. Ranks per host that `text` names must be theirs.
/// - As many ranks as there are, with ranks per host, "6x4+3x8": ranks in this order, whatever
///   their hosts are.
/// - As many ranks as there are, without: ranks belong to clusters in their order. On a single host
///   each counts as a host of its own.
/// Fails, naming `name`, for anything else and as Clusters::parse does.
Result<Places> places_given(std::string_view text, std::string_view name,
                            std::span<const int> host_of);

/// Ranks of a single host cannot measure a network: each then counts as a host.
std::vector<int> hosts_to_measure(std::vector<int> host_of);

/// The option value that requests probing for clusters.
inline constexpr const char* automatic = "auto";

/// The user's settings for clusters. The first non-empty one counts; without any, what Slurm tells
/// of its topology file, else "auto".
struct ClusterRequest {
    std::string flag;                ///< --clusters: as places_given reads it, or "auto"
    std::string environment;         ///< ALLTOLD_CLUSTERS, the same
    std::filesystem::path host_file; ///< with keywords as HostFile reads them; rank 0's
};

/// Each rank's place and the source of its cluster, which is empty if clusters must be found by
/// probing.
struct Assignment {
    Places places;
    std::string how;
};

/// The places of ranks on `hosts`, by name, from the request, or from the switches that Slurm tells
/// each rank (empty: none); empty without either. Ignores a host file without keywords. Fails as
/// places_given and HostFile do.
Result<Assignment> assigned_places(const ClusterRequest& request,
                                   const std::vector<std::string>& hosts,
                                   const std::vector<std::string>& switches);

/// Whether there are as many hosts, by their names, as `clusters` has. Otherwise ranks on one host
/// count as hosts of their own, or those on several as one.
bool names_are_hosts(std::span<const std::string> host_of_rank, const Clusters& clusters);

} // namespace alltold

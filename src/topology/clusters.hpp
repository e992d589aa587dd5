// SPDX-License-Identifier: BSD-3-Clause
// Which rank is on which host in which cluster, for hosts and clusters of consecutive ranks.
#pragma once

#include <span>
#include <vector>

#include "core/result.hpp"

namespace alltold {

/// Clusters of one or more hosts each, hosts of one or more ranks each. Ranks are numbered cluster
/// by cluster, and within a cluster host by host.
class Clusters {
  public:
    /// From hosts per cluster, "12", "6+6" or "4+8+4", with one rank on each host; or from hosts
    /// and ranks per host, "6x4" or "6x4+3x8"; where hosts of one cluster differ, "2x4/1x3+8".
    /// Fails, naming the number, for an empty, zero or non-numeric one.
    static Result<Clusters> parse(std::string_view text);
    /// Hosts per cluster, with one rank each. Sizes must each be at least 1.
    explicit Clusters(std::vector<int> sizes);
    /// From the ranks of each host, cluster by cluster; at least one cluster, and host, and rank.
    static Clusters of_hosts(const std::vector<std::vector<int>>& ranks_of_hosts);

    int count() const { return static_cast<int>(sizes_.size()); }
    int ranks() const { return first_.back(); }
    int size(int cluster) const { return sizes_[static_cast<std::size_t>(cluster)]; }
    int first(int cluster) const { return first_[static_cast<std::size_t>(cluster)]; }
    int cluster_of(int rank) const;
    /// Ranks per cluster.
    std::span<const int> sizes() const { return sizes_; }

    /// Hosts in all, numbered as ranks are.
    int hosts() const {
        return one_rank_per_host() ? ranks() : static_cast<int>(lowest_.size()) - 1;
    }
    int hosts(int cluster) const { return first_host(cluster + 1) - first_host(cluster); }
    /// The lowest host of `cluster`; hosts() of the number of clusters.
    int first_host(int cluster) const;
    int host_of(int rank) const;
    int cluster_of_host(int host) const { return cluster_of(first_of_host(host)); }
    /// The number of `host` in its cluster, from 0.
    int host_in_cluster(int host) const { return host - first_host(cluster_of_host(host)); }
    int first_of_host(int host) const {
        return one_rank_per_host() ? host : lowest_[static_cast<std::size_t>(host)];
    }
    int ranks_of_host(int host) const { return first_of_host(host + 1) - first_of_host(host); }
    int most_ranks_of_a_host() const;
    bool one_rank_per_host() const { return lowest_.empty(); }
    /// The ranks of each host, cluster by cluster, as of_hosts takes them.
    std::vector<std::vector<int>> ranks_of_hosts() const;
    /// These hosts with one rank each.
    Clusters leaders() const;

    /// "6+6", "6x4+3x8", as parse reads it.
    std::string text() const;

    bool operator==(const Clusters&) const = default;

  private:
    std::vector<int> sizes_;
    std::vector<int> first_;  ///< first_[c] is the lowest rank of c; one more entry holds the total
    std::vector<int> lowest_; ///< the same by host; empty where every host has one rank
};

} // namespace alltold

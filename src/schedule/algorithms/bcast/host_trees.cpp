// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts along one tree among hosts and one within each host.
#include "schedule/algorithms/tree.hpp"
#include "schedule/segments.hpp"

namespace alltold::bcast_host_trees {
namespace {

/// Hosts numbered from the root's: first those of its cluster, then those of the next ones.
class HostPlaces {
  public:
    HostPlaces(const Clusters& clusters, int root)
        : clusters_(clusters), roots_(clusters.host_of(root)), root_(root) {
        const int cluster = clusters.cluster_of(root);
        first_ = clusters.first_host(cluster);
        near_ = clusters.hosts(cluster);
    }

    int host_at(int place) const {
        return place < near_ ? first_ + (roots_ - first_ + place) % near_
                             : (first_ + place) % clusters_.hosts();
    }
    int place_of(int host) const {
        return first_ <= host && host < first_ + near_
                   ? (host - roots_ + near_) % near_
                   : (host - first_ + clusters_.hosts()) % clusters_.hosts();
    }
    int leader_of(int host) const { return host == roots_ ? root_ : clusters_.first_of_host(host); }
    int leader_at(int place) const { return leader_of(host_at(place)); }

  private:
    const Clusters& clusters_;
    int roots_, root_;
    int first_ = 0, near_ = 0; ///< the hosts of the root's cluster
};

/// One rank's schedule of a broadcast along tree `among` the leaders of hosts and tree `within`
/// each host, rooted at its leader: the root on its own host, the lowest rank on others. Places of
/// `among` are hosts cluster by cluster from the root's on, so that a chain crosses to each other
/// cluster once. A leader forwards the block to other hosts and within its own at the same time,
/// because copies within a host do not use its port.
Schedule broadcast_by_hosts(const Task& task, Tree among, Tree within) {
    const auto& clusters = *task.parameters.clusters;
    const HostPlaces places(clusters, task.root);
    const int host = clusters.host_of(task.rank);
    const int first = clusters.first_of_host(host), ranks = clusters.ranks_of_host(host);
    const int leader = places.leader_of(host);
    const auto rank_at = [&](int place) { return first + (leader - first + place) % ranks; };

    int parent = -1;
    std::vector<std::vector<int>> children(2);
    const auto local = within((task.rank - leader + ranks) % ranks, ranks);
    if (task.rank == leader) {
        const auto node = among(places.place_of(host), clusters.hosts());
        parent = node.parent < 0 ? -1 : places.leader_at(node.parent);
        for (const int child : node.children)
            children[0].push_back(places.leader_at(child));
    } else {
        parent = rank_at(local.parent);
    }
    for (const int child : local.children)
        children[1].push_back(rank_at(child));
    return broadcast_between(task, parent, children, {.one_by_one = true});
}

constexpr Algorithm table[]{
    // A binomial tree among hosts, then one within each host.
    {
        .name = "bcast.host_binomial",
        .wins = "short messages to several ranks per host: log2 rounds of the number of hosts on "
                "the network",
        .generate =
            [](const Task& task) { return broadcast_by_hosts(task, binomial_tree, binomial_tree); },
        .hosts = Algorithm::Use::must,
    },
    // Segments follow each other along a chain of hosts and along a chain within each host. Within
    // a host a chain as well: each rank copies every segment once, so no leader that also has its
    // host's port to serve copies it for all the others.
    {
        .name = "bcast.host_chain",
        .wins = "long messages to several ranks per host: every host's port carries every byte "
                "once each way",
        .generate =
            [](const Task& task) {
                return segmented(broadcast_by_hosts(task, chain_tree, chain_tree),
                                 task.parameters.segment_bytes);
            },
        .segment = Algorithm::Use::must,
        .hosts = Algorithm::Use::must,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::bcast_host_trees

// SPDX-License-Identifier: BSD-3-Clause
// One rank's neighbours in a tree among hosts and in one within its host.
#include "schedule/algorithms/host_tree.hpp"

namespace alltold {
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

} // namespace

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

} // namespace alltold

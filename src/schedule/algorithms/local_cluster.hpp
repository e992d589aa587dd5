// SPDX-License-Identifier: BSD-3-Clause
// The cluster of the calling rank in a scatter or gather among clusters.
#pragma once

#include <string_view>
#include <vector>

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// The cluster of a rank. Its head is the root if the root is a member, else its first rank.
class LocalCluster {
  public:
    explicit LocalCluster(const Task& task)
        : task_(task), clusters_(*task.parameters.clusters),
          mine_(clusters_.cluster_of(task.rank)) {}

    int first() const { return clusters_.first(mine_); }
    bool has_root() const { return mine_ == clusters_.cluster_of(task_.root); }
    bool is_head() const { return task_.rank == head(mine_); }
    int head(int cluster) const {
        return cluster == clusters_.cluster_of(task_.root) ? task_.root : clusters_.first(cluster);
    }
    /// All other clusters, starting with the next one.
    std::vector<int> others() const {
        std::vector<int> others;
        for (int distance = 1; distance < clusters_.count(); ++distance)
            others.push_back((mine_ + distance) % clusters_.count());
        return others;
    }
    /// The blocks of a cluster in the root's buffer.
    Region blocks(Buffer buffer, int cluster) const {
        return {buffer, static_cast<std::uint64_t>(clusters_.first(cluster)) * task_.size_bytes,
                static_cast<std::uint64_t>(clusters_.size(cluster)) * task_.size_bytes};
    }
    Region blocks(Buffer buffer) const { return blocks(buffer, mine_); }
    /// This rank's schedule when the named algorithm, which takes no parameters, runs within the
    /// cluster, rooted at its head.
    Schedule schedule(std::string_view algorithm) const {
        static const Parameters none;
        return (*find_algorithm(algorithm))
            ->generate({task_.collective, task_.rank - first(), clusters_.size(mine_),
                        head(mine_) - first(), task_.size_bytes, nullptr, none});
    }

  private:
    const Task& task_;
    const Clusters& clusters_;
    int mine_;
};

} // namespace alltold

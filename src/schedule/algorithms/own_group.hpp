// SPDX-License-Identifier: BSD-3-Clause
// The cluster or host of the calling rank in a scatter or gather.
#pragma once

#include <string_view>
#include <vector>

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/groups.hpp"

namespace alltold {

/// The group of a rank. Its head is the root if the root is a member, else its first rank.
class OwnGroup {
  public:
    OwnGroup(const Task& task, Level level)
        : task_(task), groups_(*task.parameters.clusters, level), mine_(groups_.of(task.rank)) {}

    int first() const { return groups_.first(mine_); }
    bool has_root() const { return mine_ == groups_.of(task_.root); }
    bool is_head() const { return task_.rank == head(mine_); }
    int head(int group) const {
        return group == groups_.of(task_.root) ? task_.root : groups_.first(group);
    }
    /// All other groups, starting with the next one.
    std::vector<int> others() const {
        std::vector<int> others;
        for (int distance = 1; distance < groups_.count(); ++distance)
            others.push_back((mine_ + distance) % groups_.count());
        return others;
    }
    /// The blocks of a group in the root's buffer.
    Region blocks(Buffer buffer, int group) const {
        return {buffer, static_cast<std::uint64_t>(groups_.first(group)) * task_.size_bytes,
                static_cast<std::uint64_t>(groups_.size(group)) * task_.size_bytes};
    }
    Region blocks(Buffer buffer) const { return blocks(buffer, mine_); }
    /// This rank's schedule when the named algorithm, which takes no parameters, runs within the
    /// group, rooted at its head.
    Schedule schedule(std::string_view algorithm) const {
        static const Parameters none;
        return (*find_algorithm(algorithm))
            ->generate({task_.collective, task_.rank - first(), groups_.size(mine_),
                        head(mine_) - first(), task_.size_bytes, nullptr, none});
    }

  private:
    const Task& task_;
    Groups groups_;
    int mine_;
};

} // namespace alltold

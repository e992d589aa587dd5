// SPDX-License-Identifier: BSD-3-Clause
// Short reductions and barriers across groups: within each to its head, between heads, and back.
#include "schedule/algorithms/groups.hpp"
#include "schedule/algorithms/tree.hpp"

namespace alltold::through_heads {
namespace {

/// How the heads of groups, their lowest ranks, exchange their values.
enum class Heads : std::uint8_t {
    direct,  ///< each sends to all others at once: one latency
    doubling ///< ceil(log2(groups)) rounds in which each has twice as much (Bruck et al. 1997)
};

class ThroughHeads {
  public:
    ThroughHeads(const Task& task, Level level)
        : task_(task), groups_(*task.parameters.clusters, level), group_(groups_.of(task.rank)),
          first_(groups_.first(group_)),
          tree_(binomial_tree(task.rank - first_, groups_.size(group_))), value_{Buffer::send, 0,
                                                                                 task.size_bytes},
          values_(builder_.scratch(is_head() ? bytes(groups_.count()) : 0)) {}

    Schedule in_all(Heads heads) && {
        collect();
        if (is_head() && groups_.count() > 1)
            exchange(heads);
        spread();
        return std::move(builder_).finish();
    }

    Schedule at_root() && {
        collect();
        const int head = groups_.first(groups_.of(task_.root));
        if (is_head() && task_.rank != head)
            send(value_, head, ready_);
        if (task_.rank == head) {
            for (int distance = 1; distance < groups_.count(); ++distance)
                there_.push_back(receive(slot(distance, 1), head_at(distance)));
            if (groups_.count() > 1) {
                const auto result = has_result() ? whole() : builder_.scratch(task_.size_bytes);
                combine_groups(result);
                value_ = result;
            }
            if (!has_result())
                send(value_, task_.root, ready_);
        } else if (task_.rank == task_.root) {
            receive(whole(), head);
        }
        return std::move(builder_).finish();
    }

  private:
    bool is_head() const { return task_.rank == first_; }
    bool has_result() const {
        return !traits_of(task_.collective).rooted || task_.rank == task_.root;
    }
    int head_at(int distance) const {
        const int count = groups_.count();
        return groups_.first((group_ + distance + count) % count);
    }
    Region whole() const { return {Buffer::receive, 0, task_.size_bytes}; }
    std::uint64_t bytes(int values) const {
        return static_cast<std::uint64_t>(values) * task_.size_bytes;
    }
    /// At a head: what `count` groups have, from the one `distance` after this one on, which is
    /// last.
    Region slot(int distance, int count) const {
        return subregion(values_, bytes(groups_.count() - distance - count), bytes(count));
    }

    // A barrier sends signals, and there is nothing to combine.
    Step send(const Region& region, int to, Step after) {
        return traits_of(task_.collective).has_data ? builder_.send(region, to, {after})
                                                    : builder_.signal(to, {after});
    }
    Step receive(const Region& region, int from, Step after = no_step) {
        return traits_of(task_.collective).has_data ? builder_.receive(region, from, {after})
                                                    : builder_.await(from, {after});
    }
    Step combine(const Region& left, const Region& right, Step one, Step other) {
        return traits_of(task_.collective).has_data ? builder_.combine(left, right, {one, other})
                                                    : builder_.join({one, other});
    }

    /// Collects what the ranks of this rank's subtree have, for its parent or, at the head, in its
    /// slot (of a single group where the result belongs): first of the nearest child, whose ranks
    /// follow this one, then of the next.
    void collect() {
        for (auto child = tree_.children.rbegin(); child != tree_.children.rend(); ++child) {
            const bool last = child + 1 == tree_.children.rend();
            const auto into = !is_head() || !last ? builder_.scratch(task_.size_bytes)
                              : groups_.count() == 1 && has_result() ? whole()
                                                                     : slot(0, 1);
            const auto received = receive(into, first_ + *child);
            ready_ = combine(value_, into, received, ready_);
            value_ = into;
        }
        if (is_head())
            there_ = {ready_};
        else
            send(value_, first_ + tree_.parent, ready_);
    }

    void exchange(Heads heads) {
        const int count = groups_.count();
        const bool doubling = heads == Heads::doubling;
        for (int distance = 1; distance < count; distance += doubling ? distance : 1) {
            const int values = doubling ? std::min(distance, count - distance) : 1;
            if (distance == 2 && values > 1 && tree_.children.empty())
                there_.front() = builder_.copy(value_, slot(0, 1)); // next to those of others
            const auto sent =
                send(values > 1 ? slot(0, values) : value_, head_at(-distance), there_.front());
            for (std::size_t i = 1; i < static_cast<std::size_t>(values); ++i)
                if (there_[i] != there_[i - 1])
                    builder_.also_after(sent, there_[i]);
            const auto received = receive(slot(distance, values), head_at(distance));
            there_.insert(there_.end(), static_cast<std::size_t>(values), received);
        }
        if (traits_of(task_.collective).has_data)
            combine_groups(whole());
        else if (!tree_.children.empty())
            wait_for_groups();
    }

    /// Combines the values of all groups in their order, from the last one on.
    void combine_groups(const Region& result) {
        const int count = groups_.count();
        for (int group = count - 1; group >= 0; --group) {
            const int distance = (group - group_ + count) % count;
            const auto value = distance == 0 ? value_ : slot(distance, 1);
            const auto there = there_[static_cast<std::size_t>(distance)];
            ready_ = group == count - 1 ? builder_.copy(value, result, {there})
                                        : builder_.combine(value, result, {there, ready_});
        }
    }

    void wait_for_groups() {
        ready_ = builder_.join();
        for (std::size_t i = 0; i < there_.size(); ++i)
            if (i == 0 || there_[i] != there_[i - 1])
                builder_.also_after(ready_, there_[i]);
    }

    void spread() {
        if (!is_head())
            ready_ = receive(whole(), first_ + tree_.parent);
        for (const int child : tree_.children)
            send(whole(), first_ + child, ready_);
    }

    const Task& task_;
    Groups groups_;
    int group_, first_; ///< this rank's group and its head
    TreeNode tree_;     ///< within the group
    Builder builder_;
    Region value_;            ///< what this rank and those below it have
    Region values_;           ///< at a head: of all groups
    std::vector<Step> there_; ///< at a head, by distance: after which that group's may be read
    Step ready_ = no_step;    ///< after which the newest value may be read
};

bool is_empty(const Task& task) {
    return task.size_bytes == 0 && traits_of(task.collective).has_data;
}

/// One rank's schedule of a barrier or an allreduce: binomial trees within groups to their heads
/// and back, and `heads` between them. Every head combines what the groups have in the same order,
/// that of ranks.
Schedule through_heads(const Task& task, Level level, Heads heads) {
    return is_empty(task) ? Schedule() : ThroughHeads(task, level).in_all(heads);
}

/// For a reduce: heads send to the head of the root's group, which combines.
Schedule reduce_through_heads(const Task& task, Level level) {
    return is_empty(task) ? Schedule() : ThroughHeads(task, level).at_root();
}

constexpr Algorithm table[]{
    // Clusters reduce to one rank each; these exchange what they have and spread the result.
    {
        .name = "allreduce.clustered_short",
        .wins = "short vectors on clusters: one latency between clusters, both ways at once",
        .generate =
            [](const Task& task) { return through_heads(task, Level::cluster, Heads::direct); },
        .clusters = Algorithm::Use::must,
        .in_order = true,
    },
    // Hosts reduce to one rank each; these double what they have in each round.
    {
        .name = "allreduce.hosts_short",
        .wins = "short vectors, several ranks per host: log2 rounds of the number of hosts on the "
                "network",
        .generate =
            [](const Task& task) { return through_heads(task, Level::host, Heads::doubling); },
        .hosts = Algorithm::Use::must,
        .in_order = true,
    },
    // Clusters wait for their ranks, then for each other, then release their ranks.
    {
        .name = "barrier.clustered",
        .wins = "clusters: one latency between them, both ways at once",
        .generate =
            [](const Task& task) { return through_heads(task, Level::cluster, Heads::direct); },
        .clusters = Algorithm::Use::must,
    },
    // Hosts wait for their ranks, then for each other by dissemination, then release their ranks.
    {
        .name = "barrier.hosts",
        .wins = "several ranks per host: log2 rounds of the number of hosts on the network",
        .generate =
            [](const Task& task) { return through_heads(task, Level::host, Heads::doubling); },
        .hosts = Algorithm::Use::must,
    },
    // Clusters reduce to one rank each; these send what they have to the cluster of the root.
    {
        .name = "reduce.clustered_short",
        .wins = "short vectors on clusters: one latency between clusters",
        .generate = [](const Task& task) { return reduce_through_heads(task, Level::cluster); },
        .clusters = Algorithm::Use::must,
        .in_order = true,
    },
    // Hosts reduce to one rank each; these send what they have to the host of the root.
    {
        .name = "reduce.hosts_short",
        .wins = "short vectors, several ranks per host: one latency between hosts, one message "
                "from each",
        .generate = [](const Task& task) { return reduce_through_heads(task, Level::host); },
        .hosts = Algorithm::Use::must,
        .in_order = true,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::through_heads

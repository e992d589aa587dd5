// SPDX-License-Identifier: BSD-3-Clause
// Scatters and gathers with one message for each remote cluster or host.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/groups.hpp"
#include "schedule/builder.hpp"

namespace alltold::relayed {
namespace {

/// Where the ranks and buffers of the inner schedule are in the outer one.
struct Embedding {
    int first_rank = 0; ///< rank 0 of the inner schedule; its other ranks follow
    Region send;        ///< the inner schedule's send buffer
    Region receive;     ///< its receive buffer
};

/// Appends the operations of `inner` to `builder`; those without predecessors wait for `after`. The
/// returned step is complete when all of them are; no_step if `inner` is empty.
Step embed(Builder& builder, const Schedule& inner, const Embedding& where, Step after = no_step) {
    const auto scratch = builder.scratch(inner.scratch_bytes());
    const auto moved = [&](const Region& region) {
        const auto& base = region.buffer == Buffer::send      ? where.send
                           : region.buffer == Buffer::receive ? where.receive
                                                              : scratch;
        return Region{base.buffer, base.offset_bytes + region.offset_bytes, region.size_bytes};
    };
    std::vector<Step> now;
    for (int step = 0; step < inner.size(); ++step) {
        auto operation = inner[step];
        operation.region = moved(operation.region);
        operation.target = moved(operation.target);
        operation.tag = -1; // counted anew in the whole
        if (operation.is_message())
            operation.peer += where.first_rank;
        std::vector<Step> earlier;
        for (const auto edge : inner.after(step))
            earlier.push_back(now[static_cast<std::size_t>(edge)]);
        if (earlier.empty())
            earlier.push_back(after);
        now.push_back(builder.append(operation, earlier));
    }
    if (now.size() <= 1)
        return now.empty() ? no_step : now.front();
    const auto all = builder.join();
    builder.also_after(all, now);
    return all;
}

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

/// One rank's schedule of a scatter: the root sends one message to the head of each group but its
/// own (see OwnGroup), then the algorithm `within`, which takes no parameters, runs in every group.
/// Messages to other groups leave first. The blocks of a group are contiguous in the root's buffer,
/// so the root copies nothing.
Schedule relayed_scatter(const Task& task, Level level, std::string_view within) {
    Builder builder;
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    const OwnGroup group(task, level);
    const Region own{Buffer::receive, 0, task.size_bytes};
    Step here = no_step;
    Region blocks = group.blocks(Buffer::send);
    if (task.rank == task.root)
        for (const int other : group.others())
            builder.send(group.blocks(Buffer::send, other), group.head(other));
    else if (group.is_head()) {
        blocks = builder.scratch(blocks.size_bytes);
        here = builder.receive(blocks, task.root);
    }
    embed(builder, group.schedule(within), {group.first(), blocks, own}, here);
    return std::move(builder).finish();
}

/// The mirror: `within` gathers in every group, then each head sends one message to the root.
Schedule relayed_gather(const Task& task, Level level, std::string_view within) {
    Builder builder;
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    const OwnGroup group(task, level);
    const Region own{Buffer::send, 0, task.size_bytes};
    Region blocks = group.blocks(Buffer::receive);
    if (task.rank == task.root)
        for (const int other : group.others())
            builder.receive(group.blocks(Buffer::receive, other), group.head(other));
    else if (group.is_head())
        blocks = builder.scratch(blocks.size_bytes);
    const auto there = embed(builder, group.schedule(within), {group.first(), own, blocks});
    if (group.is_head() && !group.has_root())
        builder.send(blocks, task.root, {there});
    return std::move(builder).finish();
}

constexpr Algorithm table[]{
    // One rank of each host collects its host's blocks and sends them in one message.
    {
        .name = "gather.hosts",
        .wins =
            "several ranks per host: collected in the memory of each host, one message from each",
        .generate =
            [](const Task& task) { return relayed_gather(task, Level::host, "gather.flat"); },
        .hosts = Algorithm::Use::must,
    },
    // Binomial gathers in all clusters, then one message from the first rank of each to the root.
    {
        .name = "gather.relayed",
        .wins = "short messages from many ranks in clusters: trees, then one message per cluster",
        .generate =
            [](const Task& task) {
                return relayed_gather(task, Level::cluster, "gather.binomial");
            },
        .clusters = Algorithm::Use::must,
    },
    // One message to one rank of each host, which hands the blocks out on its host.
    {
        .name = "scatter.hosts",
        .wins = "several ranks per host: one message to each host, handed out in its memory",
        .generate =
            [](const Task& task) { return relayed_scatter(task, Level::host, "scatter.flat"); },
        .hosts = Algorithm::Use::must,
    },
    // One message to the first rank of each cluster, then binomial scatters in all clusters.
    {
        .name = "scatter.relayed",
        .wins = "short messages to many ranks in clusters: one message per cluster, then trees",
        .generate =
            [](const Task& task) {
                return relayed_scatter(task, Level::cluster, "scatter.binomial");
            },
        .clusters = Algorithm::Use::must,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::relayed

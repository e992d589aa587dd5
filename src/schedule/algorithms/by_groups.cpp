// SPDX-License-Identifier: BSD-3-Clause
// Collectives across clusters or hosts, composed of phases within groups and between them.
#include "schedule/algorithms/group_phases.hpp"
#include "schedule/segments.hpp"

namespace alltold::by_groups {
namespace {

std::vector<Carriers> all_ranks(const Groups& groups) {
    std::vector<Carriers> carriers;
    for (int group = 0; group < groups.count(); ++group)
        carriers.push_back({groups.first(group), groups.size(group)});
    return carriers;
}

// All operations on a share access exactly its bytes, so its segments go through all phases without
// waiting for each other.
Schedule in_segments(const Task& task, GroupPhases&& phases) {
    return segmented(std::move(phases.builder()).finish(), task.parameters.segment_bytes,
                     task.reduction.unit_bytes);
}

/// One rank's schedule of an allreduce: groups reduce to shares, exchange shares, and spread the
/// results. Every rank carries as much between groups as others of its group. Of two groups each
/// sends every byte once to the other; more groups combine shares around a ring. Segments of at
/// most Parameters::segment_bytes let the phases overlap.
Schedule allreduce_by_groups(const Task& task, Level level) {
    const Groups groups(*task.parameters.clusters, level);
    const bool two = groups.count() == 2;
    auto shares = shares_of_vector(all_ranks(groups), two ? 1 : groups.count(), task.size_bytes,
                                   task.reduction.unit_bytes);
    for (auto& share : shares) {
        share.value = share.in(Buffer::send);
        share.place = share.in(Buffer::receive);
    }
    GroupPhases phases(task, groups, std::move(shares));
    phases.combine_within(GroupPhases::Carrier::last);
    if (two) {
        phases.combine_in_both();
    } else {
        phases.combine_between();
        phases.spread_between();
    }
    phases.spread_within();
    return in_segments(task, std::move(phases));
}

/// A reduce: other groups reduce to shares, which move from group to group towards the root's. They
/// enter there at the rank after the root, from which all moves along a chain to the root.
/// The root's port takes in every byte once: shares of the root's group would have to be collected
/// at the root after it had received as much of others' shares.
Schedule reduce_by_groups(const Task& task, Level level) {
    using Carrier = GroupPhases::Carrier;
    const Groups groups(*task.parameters.clusters, level);
    const int home = groups.of(task.root), first = groups.first(home);
    auto carriers = all_ranks(groups);
    carriers[static_cast<std::size_t>(home)] = {first + (task.root - first + 1) % groups.size(home),
                                                1};
    auto shares = shares_of_vector(carriers, 1, task.size_bytes, task.reduction.unit_bytes);
    for (auto& share : shares) {
        share.home = home;
        share.value = share.in(Buffer::send);
        if (task.rank == task.root)
            share.place = share.in(Buffer::receive);
    }
    GroupPhases phases(task, groups, std::move(shares));
    const bool at_home = groups.of(task.rank) == home;
    if (!at_home)
        phases.combine_within(Carrier::last);
    phases.combine_between();
    if (at_home)
        phases.combine_within(Carrier::first);
    return in_segments(task, std::move(phases));
}

/// An allgather: every block moves from group to group and, from the rank where it arrives, around
/// the ranks of each group.
Schedule allgather_by_groups(const Task& task, Level level) {
    const Groups groups(*task.parameters.clusters, level);
    auto shares = shares_of_blocks(groups, task.size_bytes);
    const Region own{Buffer::send, 0, task.size_bytes};
    for (auto& share : shares)
        share.place = share.in(Buffer::receive);
    if (!shares.empty())
        shares[static_cast<std::size_t>(task.rank)].value = own;
    GroupPhases phases(task, groups, std::move(shares));
    phases.spread_between();
    phases.spread_within();
    const auto offset = static_cast<std::uint64_t>(task.rank) * task.size_bytes;
    phases.builder().copy(own, {Buffer::receive, offset, task.size_bytes});
    return std::move(phases.builder()).finish();
}

/// The mirror: a reduce_scatter_block.
Schedule reduce_scatter_block_by_groups(const Task& task, Level level) {
    const Groups groups(*task.parameters.clusters, level);
    auto shares = shares_of_blocks(groups, task.size_bytes);
    for (auto& share : shares)
        share.value = share.in(Buffer::send);
    if (!shares.empty())
        shares[static_cast<std::size_t>(task.rank)].place = {Buffer::receive, 0, task.size_bytes};
    GroupPhases phases(task, groups, std::move(shares));
    phases.combine_within(GroupPhases::Carrier::last);
    phases.combine_between();
    return std::move(phases.builder()).finish();
}

constexpr Algorithm table[]{
    // Every block crosses once to each other cluster and moves around its ranks.
    {
        .name = "allgather.clustered",
        .wins = "clusters: every block crosses once to each other one, over all ranks at once",
        .generate = [](const Task& task) { return allgather_by_groups(task, Level::cluster); },
        .clusters = Algorithm::Use::must,
    },
    // Every block moves once from host to host and around the ranks of each.
    {
        .name = "allgather.hosts",
        .wins = "several ranks per host: every port carries every block once, the rest goes "
                "through memory",
        .generate = [](const Task& task) { return allgather_by_groups(task, Level::host); },
        .hosts = Algorithm::Use::must,
    },
    // Clusters reduce to shares, exchange these at once, and spread the results.
    {
        .name = "allreduce.clustered",
        .wins = "long vectors on clusters: all ranks share the backbone, which carries every byte "
                "once each way",
        .generate = [](const Task& task) { return allreduce_by_groups(task, Level::cluster); },
        .segment = Algorithm::Use::must,
        .clusters = Algorithm::Use::must,
    },
    // Hosts reduce to shares, combine these around a ring, and spread the results.
    {
        .name = "allreduce.hosts",
        .wins = "long vectors, several ranks per host: each port carries what one rank per host "
                "would send",
        .generate = [](const Task& task) { return allreduce_by_groups(task, Level::host); },
        .segment = Algorithm::Use::must,
        .hosts = Algorithm::Use::must,
    },
    // Clusters reduce to shares, which cross to the cluster of the root and along a chain to it.
    {
        .name = "reduce.clustered",
        .wins = "long vectors on clusters: all ranks of a cluster share the backbone, no port "
                "carries a byte twice",
        .generate = [](const Task& task) { return reduce_by_groups(task, Level::cluster); },
        .segment = Algorithm::Use::must,
        .clusters = Algorithm::Use::must,
    },
    // Hosts reduce to shares, which move from host to host towards the root.
    {
        .name = "reduce.hosts",
        .wins = "long vectors, several ranks per host: reduced in memory, every port carries every "
                "byte once",
        .generate = [](const Task& task) { return reduce_by_groups(task, Level::host); },
        .segment = Algorithm::Use::must,
        .hosts = Algorithm::Use::must,
    },
    // Blocks are combined in each cluster and cross once to the cluster of their rank.
    {
        .name = "reduce_scatter_block.clustered",
        .wins = "clusters: combined before they cross, over all ranks at once",
        .generate =
            [](const Task& task) { return reduce_scatter_block_by_groups(task, Level::cluster); },
        .clusters = Algorithm::Use::must,
    },
    // Blocks are combined on each host and move from host to host.
    {
        .name = "reduce_scatter_block.hosts",
        .wins = "several ranks per host: combined in memory before they leave a host",
        .generate =
            [](const Task& task) { return reduce_scatter_block_by_groups(task, Level::host); },
        .hosts = Algorithm::Use::must,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::by_groups

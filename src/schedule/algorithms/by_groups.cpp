// SPDX-License-Identifier: BSD-3-Clause
// Collectives across groups of ranks, built from GroupPhases.
#include "schedule/algorithms/by_groups.hpp"

#include <utility>
#include <vector>

#include "schedule/algorithms/group_phases.hpp"
#include "schedule/segment.hpp"

namespace alltold {
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

} // namespace

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

// The root's port takes in every byte once: shares of the root's group would have to be collected
// at the root after it had received as much of others' shares.
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

} // namespace alltold

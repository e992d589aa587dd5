// SPDX-License-Identifier: BSD-3-Clause
// Scans: contributions of lower ranks are combined in the order of ranks.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/segments.hpp"

namespace alltold::prefix {
namespace {

/// A region, and the step after which it may be read.
struct Value {
    Region region;
    Step ready = no_step;
};

/// At distances of `distance`, twice that, and so on each rank sends its value to the rank that far
/// above, and combines the value from below, as left operand, with `sum`, which combines the last
/// `distance` ranks that count; `first` is the lowest rank with a contribution. `now` holds the
/// same value as `sum` and is sent until something is added. Hillis and Steele 1986.
void add_prefix_rounds(Builder& builder, const Task& task, int first, int distance, Value now,
                       Value sum) {
    Step sent = no_step; // what reads `sum`
    for (; task.rank >= first && distance < task.ranks - first; distance *= 2) {
        const auto left = task.rank + distance < task.ranks
                              ? builder.send(now.region, task.rank + distance, {now.ready})
                              : no_step;
        if (now.region == sum.region)
            sent = left;
        if (task.rank - distance < first)
            continue;
        const auto arrived = builder.scratch(task.size_bytes);
        const auto received = builder.receive(arrived, task.rank - distance);
        sum.ready = builder.combine(arrived, sum.region, {received, sum.ready, sent});
        now = sum;
    }
}

/// Each rank combines what comes from the rank below with its own contribution, and passes it on:
/// segment after segment. Its result is what it passes on if `inclusive`, else what it received.
Schedule prefix_chain(const Task& task, bool inclusive) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    const bool last = task.rank + 1 == task.ranks;
    Builder builder;
    Value passed{own};
    if (task.rank == 0) {
        if (inclusive)
            builder.copy(own, result);
    } else if (inclusive && task.reduction.commutative) {
        passed = {result, builder.combine(own, result, {builder.receive(result, task.rank - 1)})};
    } else {
        const bool both = inclusive || !last; // else nothing is combined
        const auto with_own = inclusive ? result : builder.scratch(both ? task.size_bytes : 0);
        const auto copied = both ? builder.copy(own, with_own) : no_step;
        const auto below = inclusive ? builder.scratch(task.size_bytes) : result;
        const auto received = builder.receive(below, task.rank - 1);
        if (both)
            passed = {with_own, builder.combine(below, with_own, {received, copied})};
    }
    if (!last)
        builder.send(passed.region, task.rank + 1, {passed.ready});
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes,
                     task.reduction.unit_bytes);
}

Schedule exscan_recursive_doubling(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    const int rank = task.rank, ranks = task.ranks;
    Builder builder;
    Value below{result};
    if (rank + 1 < ranks)
        builder.send(own, rank + 1);
    if (rank >= 1)
        below.ready = builder.receive(result, rank - 1);

    // Only in this round does what is sent include the own contribution.
    Value both{own};
    if (rank >= 1 && rank + 2 < ranks) {
        both.region = builder.scratch(task.size_bytes);
        const auto copied = builder.copy(own, both.region);
        both.ready = builder.combine(result, both.region, {below.ready, copied});
    }
    if (rank + 2 < ranks) {
        builder.send(both.region, rank + 2, {both.ready});
        below.ready = both.ready; // else rank 1 sends those of later rounds before it
    }
    if (rank >= 2) {
        const auto arrived = builder.scratch(task.size_bytes);
        const auto received = builder.receive(arrived, rank - 2);
        below.ready = builder.combine(arrived, result, {received, below.ready, both.ready});
    }
    add_prefix_rounds(builder, task, 1, 3, below, below);
    return std::move(builder).finish();
}

Schedule scan_recursive_doubling(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    Builder builder;
    const Value sum{result, builder.copy(own, result)};
    add_prefix_rounds(builder, task, 0, 1, {own}, sum);
    return std::move(builder).finish();
}

constexpr Algorithm table[]{
    // A chain: each rank passes on what lower ranks and itself have, segment after segment.
    {
        .name = "exscan.chain_segmented",
        .wins = "long vectors: every link carries every byte once",
        .generate = [](const Task& task) { return prefix_chain(task, false); },
        .segment = Algorithm::Use::must,
        .in_order = true,
    },
    // Rounds at distances 1, 2, 3, 6, 12, ..., after which each rank has combined the last 1, 3, 6,
    // 12, 24, ... below it.
    {
        .name = "exscan.recursive_doubling",
        .wins = "short vectors: about log2(4n/3) rounds",
        .generate = exscan_recursive_doubling,
        .in_order = true,
    },
    // A chain: each rank passes on what lower ranks and itself have, segment after segment.
    {
        .name = "scan.chain_segmented",
        .wins = "long vectors: every link carries every byte once",
        .generate = [](const Task& task) { return prefix_chain(task, true); },
        .segment = Algorithm::Use::must,
        .in_order = true,
    },
    // ceil(log2 n) rounds: after round k each rank has combined the last 2^k ranks (Hillis and
    // Steele 1986).
    {
        .name = "scan.recursive_doubling",
        .wins = "short vectors: ceil(log2 n) rounds",
        .generate = scan_recursive_doubling,
        .in_order = true,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::prefix

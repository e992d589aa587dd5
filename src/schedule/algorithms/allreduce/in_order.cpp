// SPDX-License-Identifier: BSD-3-Clause
// Allreduces of whole vectors, combined in the order of ranks.
#include "schedule/algorithms/accumulator.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/folded.hpp"
#include "schedule/segments.hpp"

namespace alltold::allreduce_in_order {
namespace {

Schedule chain_segmented(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, all{Buffer::receive, 0, task.size_bytes};
    const int below = task.rank - 1, above = task.rank + 1;
    const bool top = above == task.ranks;
    Builder builder;
    Step here = no_step;
    if (!top)
        here = builder.combine(own, all, {builder.receive(all, above)});
    else if (task.rank == 0)
        builder.copy(own, all);
    if (task.rank > 0) {
        const auto sent = builder.send(top ? own : all, below, {here});
        here = builder.receive(all, below, {top ? no_step : sent});
    }
    if (!top)
        builder.send(all, above, {here});
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes,
                     task.reduction.unit_bytes);
}

Schedule flat(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    const int others = task.ranks - 1;
    Builder builder(static_cast<std::size_t>(task.rank == 0 ? 3 * others + 1 : 2));
    if (task.rank > 0) {
        builder.send(own, 0);
        builder.receive(result, 0);
        return std::move(builder).finish();
    }
    Accumulator all(builder, own, std::vector(static_cast<std::size_t>(others), Side::right),
                    result);
    for (int rank = 1; rank < task.ranks; ++rank)
        all.receive(rank);
    for (int rank = 1; rank < task.ranks; ++rank)
        builder.send(result, rank, {all.ready()});
    return std::move(builder).finish();
}

Schedule recursive_doubling(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    const Folded folded(task.ranks);
    const int place = folded.place_of(task.rank);
    const bool paired = folded.has_two(place);
    Builder builder;
    if (task.rank != folded.active(place)) {
        builder.send(own, task.rank + 1);
        builder.receive(result, task.rank + 1);
        return std::move(builder).finish();
    }
    // The side is that of the rank also where the operator commutes: the same bits everywhere.
    std::vector<Side> sides;
    if (paired)
        sides.push_back(Side::left);
    for (int distance = 1; distance < folded.places(); distance *= 2)
        sides.push_back((place & distance) != 0 ? Side::left : Side::right);
    Accumulator all(builder, own, std::move(sides), result);
    if (paired)
        all.receive(task.rank - 1);
    for (int distance = 1; distance < folded.places(); distance *= 2) {
        const int peer = folded.active(place ^ distance);
        const auto sent = builder.send(all.value(), peer, {all.ready()});
        all.receive(peer, sent);
    }
    if (paired)
        builder.send(result, task.rank - 1, {all.ready()});
    return std::move(builder).finish();
}

constexpr Algorithm table[]{
    // Partial results move down a chain to rank 0 and the result up again, in segments that
    // pipeline.
    {
        .name = "allreduce.chain_segmented",
        .wins = "very long vectors with an operator that does not commute: every link carries "
                "every byte once",
        .generate = chain_segmented,
        .segment = Algorithm::Use::must,
        .in_order = true,
    },
    // Every rank sends its contribution to rank 0, which combines them in order and sends the
    // result.
    {
        .name = "allreduce.flat",
        .wins = "few ranks and short vectors, where a latency is long: two of them in all",
        .generate = flat,
        .in_order = true,
    },
    // Pairs at distances 1, 2, 4, ... exchange all they have; surplus ranks join a neighbour
    // (Thakur, Rabenseifner and Gropp 2005).
    {
        .name = "allreduce.recursive_doubling",
        .wins = "short vectors: log2 n rounds, or two more where the ranks are no power of two",
        .generate = recursive_doubling,
        .in_order = true,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::allreduce_in_order

// SPDX-License-Identifier: BSD-3-Clause
// log2 n rounds for any n, in which ranks get the blocks of those after them.
#include "schedule/algorithms/circulant.hpp"
#include "schedule/algorithms/gathered.hpp"
#include "schedule/algorithms/ring.hpp"

namespace alltold::allgather_gathering_rounds {
namespace {

/// Adds the rounds: a rank with the blocks of the `held[k]` ranks from itself on gets the next ones
/// from the rank `held[k]` after it, until it has held[k + 1]. held[0] is 1, the last is all ranks,
/// and each is at most twice the one before. `own` is the step after which the rank's block is
/// where later rounds send it from; the first one sends it from the send buffer. `regions(first,
/// count)` are the one or two regions of `count` blocks, counted from this rank's own; both ends of
/// a message must cut it alike. A round waits for all of the one before, as ranks that exchange
/// little do best with blocking calls. Returns the step after which all blocks are there.
template <typename Regions>
Step add_gathering_rounds(Builder& builder, const Task& task, std::span<const int> held, Step own,
                          Regions regions) {
    Step before = no_step;
    for (std::size_t k = 0; k + 1 < held.size(); ++k) {
        const int distance = held[k], count = held[k + 1] - distance;
        const int to = (task.rank - distance + task.ranks) % task.ranks;
        const int from = (task.rank + distance) % task.ranks;
        auto out = regions(0, count), in = regions(distance, count);
        if (k == 0)
            out[0] = Gathered(task).own();
        const auto round = {builder.receive(in[0], from, {before}),
                            builder.receive(in[1], from, {before}),
                            builder.send(out[0], to, {before}), builder.send(out[1], to, {before})};
        before = builder.join(round);
        if (k == 0)
            builder.also_after(before, own);
    }
    return before;
}

/// 1, 2, 4, ... below `ranks`, and `ranks`.
std::vector<int> doubled(int ranks) {
    std::vector<int> held;
    for (int count = 1; count < ranks; count *= 2)
        held.push_back(count);
    held.push_back(ranks);
    return held;
}

// Blocks are kept in the order of ranks from this one on, so that every message is one region.
// Rank 0 has them where they belong. The first round sends from the send buffer; with two ranks
// there is no other.
Schedule bruck(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    const Gathered gathered(task);
    Builder builder;
    const auto held = task.rank == 0 ? gathered.blocks(0, task.ranks)
                                     : builder.scratch(gathered.bytes(task.ranks));
    const auto blocks = [&](int first, int count) {
        return subregion(held, gathered.bytes(first), gathered.bytes(count));
    };
    const auto own =
        task.rank == 0 || task.ranks > 2 ? builder.copy(gathered.own(), blocks(0, 1)) : no_step;
    const auto all =
        add_gathering_rounds(builder, task, doubled(task.ranks), own, [&](int first, int count) {
            return std::array{blocks(first, count), Region{}};
        });
    if (task.rank > 0) {
        const int upper = task.ranks - task.rank;
        gathered.copy_own(builder);
        builder.copy(blocks(1, upper - 1), gathered.blocks(task.rank + 1, upper - 1), {all});
        builder.copy(blocks(upper, task.rank), gathered.blocks(0, task.rank), {all});
    }
    return std::move(builder).finish();
}

Schedule circulant(const Task& task) {
    if (task.size_bytes == 0)
        return {};
    auto from_here = task;
    from_here.root = task.rank;
    const Ring ring(from_here);
    Builder builder;
    add_gathering_rounds(
        builder, task, circulant_skips(task.ranks), Gathered(task).copy_own(builder),
        [&](int first, int count) { return ring.blocks(Buffer::receive, first, count); });
    return std::move(builder).finish();
}

constexpr Algorithm table[]{
    // One message a round, and a rotation at the end (Bruck et al. 1997).
    {
        .name = "allgather.bruck",
        .wins = "short blocks and any number of ranks: log2 n messages each, but all is copied",
        .generate = bruck,
    },
    // Rounds on a circulant graph, with blocks where they belong (Traeff 2024).
    {
        .name = "allgather.circulant",
        .wins = "medium blocks and any number of ranks: log2 n rounds, each byte received once and "
                "never copied",
        .generate = circulant,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::allgather_gathering_rounds

// SPDX-License-Identifier: BSD-3-Clause
// Reductions by rounds in which ranks exchange blocks, and the same rounds backwards.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/blocks.hpp"

namespace alltold::block_reductions {
namespace {

using Rounds = std::vector<BlockRound> (*)(int rank, int ranks);

template <Rounds rounds_of>
Schedule reduce_scatter_by(const Task& task) {
    const auto rounds = rounds_of(task.rank, task.ranks);
    const auto size_bytes = static_cast<std::uint64_t>(task.ranks) * task.size_bytes;
    Builder builder(4 * rounds.size() + 1);
    reduce_scatter(
        builder, rounds, task.rank,
        Segments::parts({Buffer::send, 0, size_bytes}, task.ranks, task.reduction.unit_bytes),
        {Buffer::receive, 0, task.size_bytes});
    return std::move(builder).finish();
}

/// A reduce-scatter, and an allgather by its rounds backwards.
template <Rounds rounds_of>
Schedule allreduce_by(const Task& task) {
    const auto rounds = rounds_of(task.rank, task.ranks);
    const auto blocks_of = [&](Buffer buffer) {
        return Segments::parts({buffer, 0, task.size_bytes}, task.ranks, task.reduction.unit_bytes);
    };
    Builder builder(8 * rounds.size() + 1);
    const auto all = blocks_of(Buffer::receive);
    const auto ready =
        reduce_scatter(builder, rounds, task.rank, blocks_of(Buffer::send), all.at(task.rank));
    allgather_back(builder, rounds, task.rank, all, ready);
    return std::move(builder).finish();
}

Schedule reduce_rabenseifner(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes};
    const auto blocks = Segments::parts(own, task.ranks, task.reduction.unit_bytes);
    const auto gather = halving_gather(task.rank, task.ranks, task.root);
    const auto rounds = halving_rounds(task.rank, task.ranks);
    Builder builder(4 * rounds.size() + 1);

    const auto start = blocks.at(gather.first).offset_bytes;
    const auto size = blocks.at(gather.first + gather.count - 1).end_bytes() - start;
    const auto collected = task.rank == task.root ? Region{Buffer::receive, 0, task.size_bytes}
                                                  : builder.scratch(size);
    const auto place = [&](int first, int count) {
        const auto from = blocks.at(first).offset_bytes;
        return subregion(collected, from - start, blocks.at(first + count - 1).end_bytes() - from);
    };
    std::vector<Step> steps{
        reduce_scatter(builder, rounds, task.rank, blocks, place(task.rank, 1))};
    for (const auto& message : gather.receives)
        steps.push_back(builder.receive(place(message.first, message.count), message.peer));
    if (gather.sends.count > 0) {
        const auto sent = builder.send(collected, gather.sends.peer);
        builder.also_after(sent, steps);
    }
    return std::move(builder).finish();
}

constexpr Algorithm table[]{
    // A reduce-scatter over a circulant graph and the allgather backwards (Traeff 2024).
    {
        .name = "allreduce.circulant",
        .wins = "medium vectors and any number of ranks: 2 ceil(log2 n) rounds of 2 (n-1)/n of the "
                "bytes",
        .generate = allreduce_by<circulant_block_rounds>,
    },
    // A reduce-scatter by recursive halving and the allgather backwards (Rabenseifner 2004).
    {
        .name = "allreduce.rabenseifner",
        .wins = "medium vectors and a power of two of ranks: 2 log2 n rounds, and no copies",
        .generate = allreduce_by<halving_rounds>,
    },
    // A reduce-scatter by recursive halving and a gather of the blocks (Rabenseifner 2004).
    {
        .name = "reduce.rabenseifner",
        .wins = "medium and long vectors where a latency is long: log2 n rounds each way",
        .generate = reduce_rabenseifner,
    },
    // A circulant graph: n - 1 blocks in ceil(log2 n) rounds, the fewest (Traeff 2024).
    {
        .name = "reduce_scatter_block.circulant",
        .wins = "short and medium blocks: ceil(log2 n) rounds for any number of ranks",
        .generate = reduce_scatter_by<circulant_block_rounds>,
    },
    // Ranks of two halves exchange the blocks of the other half, again and again (Thakur,
    // Rabenseifner and Gropp 2005), for any number of ranks.
    {
        .name = "reduce_scatter_block.recursive_halving",
        .wins = "medium blocks and a power of two of ranks: log2 n rounds, and no copies",
        .generate = reduce_scatter_by<halving_rounds>,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::block_reductions

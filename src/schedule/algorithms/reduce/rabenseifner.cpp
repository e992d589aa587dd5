// SPDX-License-Identifier: BSD-3-Clause
// A reduce-scatter by recursive halving and a gather of the blocks (Rabenseifner 2004).
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/blocks.hpp"

namespace alltold::reduce_rabenseifner {
namespace {

Schedule generate(const Task& task) {
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
        for (const auto step : steps)
            builder.also_after(sent, step);
    }
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "reduce.rabenseifner",
    .collective = Collective::reduce,
    .wins = "medium and long vectors where a latency is long: log2 n rounds each way",
    .generate = generate,
};

} // namespace alltold::reduce_rabenseifner

// SPDX-License-Identifier: BSD-3-Clause
// Every rank sends its contribution to rank 0, which combines them in order and sends the result.
#include "schedule/algorithms/accumulator.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold::allreduce_flat {
namespace {

Schedule generate(const Task& task) {
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

} // namespace

extern const Algorithm row{
    .name = "allreduce.flat",
    .collective = Collective::allreduce,
    .wins = "few ranks and short vectors, where a latency is long: two of them in all",
    .generate = generate,
    .in_order = true,
};

} // namespace alltold::allreduce_flat

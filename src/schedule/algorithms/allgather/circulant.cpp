// SPDX-License-Identifier: BSD-3-Clause
// log2 n rounds for any n on a circulant graph, with blocks where they belong (Traeff 2024).
#include "schedule/algorithms/circulant.hpp"
#include "schedule/algorithms/gathered.hpp"
#include "schedule/algorithms/ring.hpp"

namespace alltold::allgather_circulant {
namespace {

Schedule generate(const Task& task) {
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

} // namespace

extern const Algorithm row{
    .name = "allgather.circulant",
    .collective = Collective::allgather,
    .wins = "medium blocks and any number of ranks: log2 n rounds, each byte received once and "
            "never copied",
    .generate = generate,
};

} // namespace alltold::allgather_circulant

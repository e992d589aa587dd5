// SPDX-License-Identifier: BSD-3-Clause
// The root sends every rank its block itself (Barchet-Steffenel and Mounie 2004, table 2).
#include "schedule/algorithms/ring.hpp"

namespace alltold::scatter_flat {
namespace {

Schedule generate(const Task& task) {
    const Ring ring(task);
    Builder builder(static_cast<std::size_t>(task.rank == task.root ? task.ranks : 1));
    const Region own{Buffer::receive, 0, task.size_bytes};
    if (task.rank != task.root) {
        builder.receive(own, task.root);
        return std::move(builder).finish();
    }
    for (int place = 1; place < task.ranks; ++place)
        builder.send(ring.blocks(Buffer::send, place, 1)[0], ring.rank_at(place));
    builder.copy(ring.blocks(Buffer::send, 0, 1)[0], own);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "scatter.flat",
    .collective = Collective::scatter,
    .wins = "long messages: no byte travels twice, so the root's link is used once",
    .generate = generate,
};

} // namespace alltold::scatter_flat

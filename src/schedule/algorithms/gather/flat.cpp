// SPDX-License-Identifier: BSD-3-Clause
// Every rank sends its block to the root itself, all at once.
#include "schedule/algorithms/ring.hpp"

namespace alltold::gather_flat {
namespace {

Schedule generate(const Task& task) {
    const Ring ring(task);
    Builder builder(static_cast<std::size_t>(task.rank == task.root ? task.ranks : 1));
    const Region own{Buffer::send, 0, task.size_bytes};
    if (task.rank != task.root) {
        builder.send(own, task.root);
        return std::move(builder).finish();
    }
    for (int place = 1; place < task.ranks; ++place)
        builder.receive(ring.blocks(Buffer::receive, place, 1)[0], ring.rank_at(place));
    builder.copy(own, ring.blocks(Buffer::receive, 0, 1)[0]);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "gather.flat",
    .collective = Collective::gather,
    .wins = "long messages, while the root's port can buffer what all ranks send at once",
    .generate = generate,
};

} // namespace alltold::gather_flat

// SPDX-License-Identifier: BSD-3-Clause
// Each rank of a chain forwards the blocks of all later ranks (Barchet-Steffenel and Mounie 2004,
// table 2).
#include "schedule/algorithms/ring.hpp"

namespace alltold::scatter_chain {
namespace {

/// A rank inside the chain receives its own block and those of all later ranks, and forwards the
/// latter.
Schedule pass_on(const Task& task, const Ring& ring, int place) {
    Builder builder(3);
    const Region own{Buffer::receive, 0, task.size_bytes};
    const int behind = task.ranks - place - 1;
    const int previous = ring.rank_at(place - 1);
    if (behind == 0) {
        builder.receive(own, previous);
        return std::move(builder).finish();
    }
    const auto all = builder.scratch(ring.bytes(behind + 1));
    const auto received = builder.receive(all, previous);
    builder.send(subregion(all, task.size_bytes, ring.bytes(behind)), ring.rank_at(place + 1),
                 {received});
    builder.copy(subregion(all, 0, task.size_bytes), own, {received});
    return std::move(builder).finish();
}

Schedule generate(const Task& task) {
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    if (place > 0)
        return pass_on(task, ring, place);
    Builder builder(4);
    if (task.ranks > 1)
        send_from_root(builder, ring, 1, task.ranks - 1, ring.rank_at(1), no_step);
    builder.copy(ring.blocks(Buffer::send, 0, 1)[0], {Buffer::receive, 0, task.size_bytes});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "scatter.chain",
    .collective = Collective::scatter,
    .wins = "two ranks; otherwise the baseline for the others",
    .generate = generate,
};

} // namespace alltold::scatter_chain

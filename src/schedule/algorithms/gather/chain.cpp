// SPDX-License-Identifier: BSD-3-Clause
// The mirror of the scatter chain: each message adds one block on the way to the root.
#include "schedule/algorithms/ring.hpp"

namespace alltold::gather_chain {
namespace {

/// A rank inside the chain puts its block before those it receives.
Schedule pass_on(const Task& task, const Ring& ring, int place) {
    Builder builder(3);
    const Region own{Buffer::send, 0, task.size_bytes};
    const int behind = task.ranks - place - 1;
    const int previous = ring.rank_at(place - 1);
    if (behind == 0) {
        builder.send(own, previous);
        return std::move(builder).finish();
    }
    const auto all = builder.scratch(ring.bytes(behind + 1));
    const auto received = builder.receive(subregion(all, task.size_bytes, ring.bytes(behind)),
                                          ring.rank_at(place + 1));
    const auto copied = builder.copy(own, subregion(all, 0, task.size_bytes));
    builder.send(all, previous, {received, copied});
    return std::move(builder).finish();
}

Schedule generate(const Task& task) {
    const Ring ring(task);
    const int place = ring.place_of(task.rank);
    if (place > 0)
        return pass_on(task, ring, place);
    Builder builder(4);
    if (task.ranks > 1)
        receive_at_root(builder, ring, 1, task.ranks - 1, ring.rank_at(1));
    builder.copy({Buffer::send, 0, task.size_bytes}, ring.blocks(Buffer::receive, 0, 1)[0]);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "gather.chain",
    .collective = Collective::gather,
    .wins = "two ranks; otherwise the baseline for the others",
    .generate = generate,
};

} // namespace alltold::gather_chain

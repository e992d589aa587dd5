// SPDX-License-Identifier: BSD-3-Clause
// The windowed gather, which never overruns the root's port (Tam and Wang 1999, algorithm 1).
#include "schedule/algorithms/ring.hpp"

namespace alltold::gather_windowed {
namespace {

// Blocks are sent synchronously: the start signal must mean that the previous block has been
// received, which the return of a buffered send does not guarantee. (In the paper, sends end with
// the wire.)
Schedule generate(const Task& task) {
    const Ring ring(task);
    const int window = task.parameters.window > 0 ? task.parameters.window : task.ranks;
    const int place = ring.place_of(task.rank);
    Builder builder(static_cast<std::size_t>(place == 0 ? task.ranks : 3));
    const Region own{Buffer::send, 0, task.size_bytes};
    if (task.size_bytes == 0)
        return std::move(builder).finish();
    if (place == 0) {
        for (int sender = 1; sender < task.ranks; ++sender)
            builder.receive(ring.blocks(Buffer::receive, sender, 1)[0], ring.rank_at(sender));
        builder.copy(own, ring.blocks(Buffer::receive, 0, 1)[0]);
        return std::move(builder).finish();
    }
    const auto started = place > window ? builder.await(ring.rank_at(place - window)) : no_step;
    const auto sent = builder.send(own, task.root, {started}, true);
    if (window < task.ranks - place)
        builder.signal(ring.rank_at(place + window), {sent});
    return std::move(builder).finish();
}

Limits limits(int window) {
    return {.into_root = window};
}

} // namespace

extern const Algorithm row{
    .name = "gather.windowed",
    .collective = Collective::gather,
    .wins = "long messages to a root whose port cannot buffer what all ranks send at once",
    .generate = generate,
    .window = Algorithm::Use::may,
    .limits = limits,
};

} // namespace alltold::gather_windowed

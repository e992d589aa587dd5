// SPDX-License-Identifier: BSD-3-Clause
// Every rank sends its block to every other, in rotated order, with a window of what is in flight.
#include "schedule/algorithms/gathered.hpp"
#include "schedule/algorithms/stream.hpp"
#include "schedule/segments.hpp"

namespace alltold::allgather_direct {
namespace {

Schedule generate(const Task& task) {
    const Gathered gathered(task);
    const Segments segments(gathered.own(), task.parameters.segment_bytes);
    const auto messages =
        static_cast<std::uint64_t>(segments.count()) * static_cast<std::uint64_t>(task.ranks - 1);
    Builder builder(2 * messages + 1);
    Stream stream(builder, task.parameters.window, messages);
    for (std::int64_t number = 0; number < segments.count(); ++number)
        for (int distance = 1; distance < task.ranks; ++distance) {
            const int to = (task.rank + distance) % task.ranks;
            const int from = (task.rank - distance + task.ranks) % task.ranks;
            // The send comes first: it waits for earlier receives, not for this one.
            stream.send(segments.at(number), to);
            stream.receive(
                Segments(gathered.blocks(from), task.parameters.segment_bytes).at(number), from);
        }
    gathered.copy_own(builder);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "allgather.direct",
    .wins = "latency long beside a block's time: one round; a window spares small switch buffers",
    .generate = generate,
    .segment = Algorithm::Use::may,
    .window = Algorithm::Use::may,
};

} // namespace alltold::allgather_direct

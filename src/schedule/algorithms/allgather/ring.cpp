// SPDX-License-Identifier: BSD-3-Clause
// Blocks move around a ring: each rank forwards to the next what came from the one before.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/builder.hpp"

namespace alltold::allgather_ring {
namespace {

Schedule generate(const Task& task) {
    const auto size = task.size_bytes;
    const auto block = [&](int rank) {
        return Region{Buffer::receive, static_cast<std::uint64_t>(rank) * size, size};
    };
    const int next = (task.rank + 1) % task.ranks,
              previous = (task.rank + task.ranks - 1) % task.ranks;
    Builder builder;
    const Region own{Buffer::send, 0, size};
    builder.copy(own, block(task.rank));
    Step arrived = no_step;
    for (int k = 0; k + 1 < task.ranks; ++k) {
        const int leaves = (task.rank + task.ranks - k) % task.ranks;
        const int arrives = (previous + task.ranks - k) % task.ranks;
        builder.send(k == 0 ? own : block(leaves), next, {arrived});
        arrived = builder.receive(block(arrives), previous, {arrived});
    }
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "allgather.ring",
    .collective = Collective::allgather,
    .wins = "long blocks: every link carries every byte once",
    .generate = generate,
};

} // namespace alltold::allgather_ring

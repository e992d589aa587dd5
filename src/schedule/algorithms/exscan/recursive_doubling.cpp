// SPDX-License-Identifier: BSD-3-Clause
// Rounds at distances 1, 2, 3, 6, 12, ..., after which each rank has combined the last 1, 3, 6, 12,
// 24, ... below it.
#include "schedule/algorithms/prefix.hpp"

namespace alltold::exscan_recursive_doubling {
namespace {

Schedule generate(const Task& task) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    const int rank = task.rank, ranks = task.ranks;
    Builder builder;
    Value below{result};
    if (rank + 1 < ranks)
        builder.send(own, rank + 1);
    if (rank >= 1)
        below.ready = builder.receive(result, rank - 1);

    // Only in this round does what is sent include the own contribution.
    Value both{own};
    if (rank >= 1 && rank + 2 < ranks) {
        both.region = builder.scratch(task.size_bytes);
        const auto copied = builder.copy(own, both.region);
        both.ready = builder.combine(result, both.region, {below.ready, copied});
    }
    if (rank + 2 < ranks) {
        builder.send(both.region, rank + 2, {both.ready});
        below.ready = both.ready; // else rank 1 sends those of later rounds before it
    }
    if (rank >= 2) {
        const auto arrived = builder.scratch(task.size_bytes);
        const auto received = builder.receive(arrived, rank - 2);
        below.ready = builder.combine(arrived, result, {received, below.ready, both.ready});
    }
    add_prefix_rounds(builder, task, 1, 3, below, below);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "exscan.recursive_doubling",
    .collective = Collective::exscan,
    .wins = "short vectors: about log2(4n/3) rounds",
    .generate = generate,
    .in_order = true,
};

} // namespace alltold::exscan_recursive_doubling

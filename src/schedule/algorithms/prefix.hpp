// SPDX-License-Identifier: BSD-3-Clause
// Common to scan and exscan: contributions of lower ranks are combined in the order of ranks.
#pragma once

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/builder.hpp"

namespace alltold {

/// A region, and the step after which it may be read.
struct Value {
    Region region;
    Step ready = no_step;
};

/// At distances of `distance`, twice that, and so on each rank sends its value to the rank that far
/// above, and combines the value from below, as left operand, with `sum`, which combines the last
/// `distance` ranks that count; `first` is the lowest rank with a contribution. `now` holds the
/// same value as `sum` and is sent until something is added. Hillis and Steele 1986.
inline void add_prefix_rounds(Builder& builder, const Task& task, int first, int distance,
                              Value now, Value sum) {
    Step sent = no_step; // what reads `sum`
    for (; task.rank >= first && distance < task.ranks - first; distance *= 2) {
        const auto left = task.rank + distance < task.ranks
                              ? builder.send(now.region, task.rank + distance, {now.ready})
                              : no_step;
        if (now.region == sum.region)
            sent = left;
        if (task.rank - distance < first)
            continue;
        const auto arrived = builder.scratch(task.size_bytes);
        const auto received = builder.receive(arrived, task.rank - distance);
        sum.ready = builder.combine(arrived, sum.region, {received, sum.ready, sent});
        now = sum;
    }
}

/// Each rank combines what comes from the rank below with its own contribution, and passes it on:
/// segment after segment. Its result is what it passes on if `inclusive`, else what it received.
Schedule prefix_chain(const Task& task, bool inclusive);

} // namespace alltold

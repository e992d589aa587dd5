// SPDX-License-Identifier: BSD-3-Clause
// The chain of a scan.
#include "schedule/algorithms/prefix.hpp"

#include "schedule/segment.hpp"

namespace alltold {

Schedule prefix_chain(const Task& task, bool inclusive) {
    const Region own{Buffer::send, 0, task.size_bytes}, result{Buffer::receive, 0, task.size_bytes};
    const bool last = task.rank + 1 == task.ranks;
    Builder builder;
    Value passed{own};
    if (task.rank == 0) {
        if (inclusive)
            builder.copy(own, result);
    } else if (inclusive && task.reduction.commutative) {
        passed = {result, builder.combine(own, result, {builder.receive(result, task.rank - 1)})};
    } else {
        const bool both = inclusive || !last; // else nothing is combined
        const auto with_own = inclusive ? result : builder.scratch(both ? task.size_bytes : 0);
        const auto copied = both ? builder.copy(own, with_own) : no_step;
        const auto below = inclusive ? builder.scratch(task.size_bytes) : result;
        const auto received = builder.receive(below, task.rank - 1);
        if (both)
            passed = {with_own, builder.combine(below, with_own, {received, copied})};
    }
    if (!last)
        builder.send(passed.region, task.rank + 1, {passed.ready});
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes,
                     task.reduction.unit_bytes);
}

} // namespace alltold

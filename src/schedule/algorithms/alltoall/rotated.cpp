// SPDX-License-Identifier: BSD-3-Clause
// Direct exchange in rotated order, with a window of messages in flight.
#include <vector>

#include "schedule/algorithms/exchange.hpp"

namespace alltold::alltoall_rotated {
namespace {

/// Adds `message(distance)` for every distance, each after the one `window` messages before it.
template <typename Message>
void in_window(const Task& task, Builder& builder, Message message) {
    const auto window = static_cast<std::size_t>(task.parameters.window);
    std::vector<Step> steps;
    steps.reserve(static_cast<std::size_t>(task.ranks));
    for (int distance = 1; distance < task.ranks; ++distance) {
        const Step step = message(distance);
        if (step == no_step)
            continue;
        if (window > 0 && steps.size() >= window)
            builder.also_after(step, steps[steps.size() - window]);
        steps.push_back(step);
    }
}

Schedule generate(const Task& task) {
    const Exchange exchange(task);
    Builder builder(2 * static_cast<std::size_t>(task.ranks));
    in_window(task, builder, [&](int distance) {
        const int peer = (task.rank - distance + task.ranks) % task.ranks;
        return builder.receive(exchange.incoming(peer), peer);
    });
    in_window(task, builder, [&](int distance) {
        const int peer = (task.rank + distance) % task.ranks;
        return builder.send(exchange.outgoing(peer), peer);
    });
    exchange.copy_own(builder);
    return std::move(builder).finish();
}

Limits limits(int window) {
    return {.per_rank = window};
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.rotated",
    .collective = Collective::alltoall,
    .wins = "medium messages; a small window keeps switch buffers from overflowing",
    .generate = generate,
    .window = Algorithm::Use::may,
    .vectors = true,
    .limits = limits,
};

} // namespace alltold::alltoall_rotated

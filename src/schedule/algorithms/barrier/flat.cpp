// SPDX-License-Identifier: BSD-3-Clause
// Every rank signals rank 0, which signals back once it has heard all.
#include "schedule/algorithms/tree.hpp"
#include "schedule/builder.hpp"

namespace alltold::barrier_flat {
namespace {

Schedule generate(const Task& task) {
    const auto node = flat_tree(task.rank, task.ranks);
    Builder builder(2 * node.children.size() + 2);
    if (node.parent >= 0) {
        builder.signal(node.parent);
        builder.await(node.parent);
        return std::move(builder).finish();
    }
    std::vector<Step> heard;
    for (const int child : node.children)
        heard.push_back(builder.await(child));
    const auto all = heard.empty() ? no_step : builder.join();
    for (const auto step : heard)
        builder.also_after(all, step);
    for (const int child : node.children)
        builder.signal(child, {all});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "barrier.flat",
    .collective = Collective::barrier,
    .wins = "few ranks, where a latency is long: two of them in all, but rank 0 handles all "
            "signals",
    .generate = generate,
};

} // namespace alltold::barrier_flat

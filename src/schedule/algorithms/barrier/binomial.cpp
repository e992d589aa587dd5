// SPDX-License-Identifier: BSD-3-Clause
// Signals go up a binomial tree to rank 0 and down again.
#include "schedule/algorithms/tree.hpp"

namespace alltold::barrier_binomial {
namespace {

Schedule generate(const Task& task) {
    const auto node = binomial_tree(task.rank, task.ranks);
    Builder builder(2 * node.children.size() + 4);
    std::vector<Step> below;
    // The smallest subtree is the first to be complete.
    for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
        below.push_back(builder.await(*child));
    Step here = below.empty() ? no_step : builder.join();
    for (const auto step : below)
        builder.also_after(here, step);
    if (node.parent >= 0) {
        const auto up = builder.signal(node.parent, {here});
        const auto down = builder.await(node.parent, {here});
        here = node.children.empty() ? no_step : builder.join({up, down});
    }
    for (const int child : node.children)
        builder.signal(child, {here});
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "barrier.binomial",
    .collective = Collective::barrier,
    .wins = "many ranks on hosts that handle signals slowly: 2(n - 1) of them, the fewest there "
            "are",
    .generate = generate,
};

} // namespace alltold::barrier_binomial

// SPDX-License-Identifier: BSD-3-Clause
// A k-nomial tree of radix 4, largest subtree first: Open MPI's knomial.
#include <algorithm>

#include "schedule/algorithms/tree.hpp"

namespace alltold::bcast_knomial {
namespace {

constexpr std::int64_t radix = 4;

/// Place p's parent is p with its lowest digit that is not 0 cleared; its children are
/// p + d radix^k for 0 < d < radix and every radix^k below that digit.
TreeNode knomial_tree(int place, int ranks) {
    TreeNode node;
    std::int64_t unit = 1;
    while (place > 0 ? place / unit % radix == 0 : unit < ranks)
        unit *= radix;
    if (place > 0)
        node.parent = static_cast<int>(place - place / unit % radix * unit);
    for (unit /= radix; unit > 0; unit /= radix)
        for (std::int64_t child = place + unit;
             child < std::min<std::int64_t>(place + radix * unit, ranks); child += unit)
            node.children.push_back(static_cast<int>(child));
    return node;
}

Schedule generate(const Task& task) {
    return broadcast_along(task, knomial_tree, {.one_by_one = false});
}

} // namespace

extern const Algorithm row{
    .name = "bcast.knomial",
    .collective = Collective::bcast,
    .wins = "short messages to many ranks where a latency is several gaps: log4 n levels, up to 3 "
            "messages per rank and level",
    .generate = generate,
};

} // namespace alltold::bcast_knomial

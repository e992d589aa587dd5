// SPDX-License-Identifier: BSD-3-Clause
// The completion of a binomial tree, largest subtree first, subtree by subtree.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "network/rounds.hpp"

namespace alltold {

/// Seconds from the root having its data until all n >= 1 nodes have theirs. A node with c children
/// sends its first message `first_s(c)` after it has its own, and then one after the other, the
/// message to a subtree of r nodes taking `gap_s(r)`; a message arrives latency_s after it has
/// left. About log2(n)^2 steps.
template <typename First, typename Gap>
double binomial_recursion_s(int n, double latency_s, First first_s, Gap gap_s) {
    assert(n >= 1);
    std::vector<double> full_s{0}; // of subtrees of 1, 2, 4, ... nodes
    const auto subtree_s = [&](int nodes, const auto& self) -> double {
        const int children = log2_up(nodes);
        if (children < 31 && nodes == 1 << children && children < static_cast<int>(full_s.size()))
            return full_s[static_cast<std::size_t>(children)];
        double sent_s = first_s(children), last_s = 0;
        for (int level = children - 1; level >= 0; --level) {
            const int child = level == children - 1 ? nodes - (1 << level) : 1 << level;
            sent_s += gap_s(child);
            last_s = std::max(last_s, sent_s + latency_s + self(child, self));
        }
        return last_s;
    };
    for (int level = 1; level <= log2_down(n); ++level)
        full_s.push_back(subtree_s(1 << level, subtree_s));
    return subtree_s(n, subtree_s);
}

} // namespace alltold

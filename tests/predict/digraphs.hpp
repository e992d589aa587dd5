// SPDX-License-Identifier: BSD-3-Clause
// Digraphs of whole collectives.
#pragma once

#include "predict/bounds/digraph.hpp"

namespace alltold {

/// The total exchange of SMT07 proposition 1: m bytes from each process to every other.
inline MessageDigraph uniform(int n, double size_bytes) {
    MessageDigraph digraph(n);
    for (int from = 0; from < n; ++from)
        for (int to = 0; to < n; ++to)
            if (from != to)
                digraph.add({from, to, size_bytes});
    return digraph;
}

} // namespace alltold

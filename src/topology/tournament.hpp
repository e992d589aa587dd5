// SPDX-License-Identifier: BSD-3-Clause
// Rounds in which everyone meets everyone.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace alltold {

/// Two different hosts, ranks or groups.
struct HostPair {
    int first = 0;
    int second = 0;
};

/// Disjoint pairs, which may meet at the same time.
using Round = std::vector<HostPair>;

/// A round-robin tournament by the circle method: each two of `players` meet in exactly one round.
/// There is one round fewer than players if their number is even, else as many as players; at most
/// the first `most_rounds` are returned.
std::vector<Round> tournament(std::span<const int> players,
                              std::size_t most_rounds = std::numeric_limits<std::size_t>::max());

} // namespace alltold

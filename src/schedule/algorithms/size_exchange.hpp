// SPDX-License-Identifier: BSD-3-Clause
// The size exchange before an all-to-all-v in which ranks forward blocks of other ranks.
#pragma once

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// In an all-to-all-v a rank knows the sizes of the blocks it sends and receives. If it also
/// forwards blocks of other ranks, its schedule depends on their sizes too. Ranks therefore
/// exchange these sizes before each call, in a small all-to-all-v: eight bytes per block, in one
/// message between each pair of ranks of which one forwards blocks of the other.
struct SizeExchange {
    using Size = std::uint64_t;

    /// This rank's blocks whose sizes others need, by destination, in the order of the exchange's
    /// send buffer. A block may occur several times.
    std::vector<int> destinations;
    /// The exchange: what arrives is Shares::relayed_bytes, in order.
    Shares shares;
    Schedule schedule;

    /// The number of sizes this rank receives.
    std::size_t received_sizes() const;
};

/// `task` is one rank's view of an all-to-all-v for an algorithm with `passes_on`; its shares are
/// not used.
SizeExchange size_exchange_of(const Algorithm& algorithm, const Task& task);

} // namespace alltold

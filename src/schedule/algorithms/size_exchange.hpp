// SPDX-License-Identifier: BSD-3-Clause
// What ranks tell each other before an all-to-all-v in which some pass on blocks of others.
#pragma once

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// A rank of an all-to-all-v knows the sizes of what it sends and receives; a schedule in which it
/// passes on blocks of others depends on the sizes of those, too. So before each call ranks tell
/// each other these sizes, in an exchange that is a small all-to-all-v itself: one message between
/// every two ranks of which one passes on blocks of the other, eight bytes a block.
struct SizeExchange {
    using Size = std::uint64_t;

    /// This rank's blocks whose sizes others need, by destination, in the order of the exchange's
    /// send buffer. One may be there several times.
    std::vector<int> destinations;
    /// The exchange: what arrives is Shares::relayed_bytes, in order.
    Shares shares;
    Schedule schedule;

    std::size_t told() const;
};

/// `task` is one rank's share of an all-to-all-v for an algorithm that has `passes_on`; its shares
/// are not looked at.
SizeExchange size_exchange_of(const Algorithm& algorithm, const Task& task);

} // namespace alltold

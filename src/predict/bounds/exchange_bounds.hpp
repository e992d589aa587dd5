// SPDX-License-Identifier: BSD-3-Clause
// What a message exchange digraph takes at least on a network (SMT07, section 4).
#pragma once

#include "network/hockney/hockney.hpp"
#include "predict/bounds/digraph.hpp"
#include "topology/clusters.hpp"

namespace alltold {

struct ExchangeBounds {
    int startups = 0;       ///< claim 1: start-ups one after the other
    double bandwidth_s = 0; ///< claim 2: with or without forwarding
    double total_s = 0;     ///< claim 3: without forwarding, and sends are synchronous
    /// The same where sends need not be synchronous: the most that any one process must spend
    /// sending, or receiving. Equals total_s where one process reaches both maxima of claim 3.
    double total_any_s = 0;
};

/// With one rank per host.
ExchangeBounds exchange_bounds(const MessageDigraph& messages, const Hockney& network);

/// On the hosts of `clusters`, which holds messages.n() ranks: only messages between hosts count.
/// Start-ups are counted per rank, bytes per host, because a host's ranks share its port. The
/// totals are those of a single rank, or of a host's bytes if these take longer.
ExchangeBounds exchange_bounds(const MessageDigraph& messages, const Hockney& network,
                               const Clusters& clusters);

} // namespace alltold

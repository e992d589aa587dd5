// SPDX-License-Identifier: BSD-3-Clause
// The part of an exchange that stays within a host.
#pragma once

#include "schedule/algorithms/exchange.hpp"

namespace alltold {

/// Exchanges whole blocks between `rank` and the other ranks of its host, all at once: they do not
/// use the host's port, so no window counts them.
inline void exchange_within_host(Builder& builder, const Exchange& exchange,
                                 const Clusters& clusters, int rank) {
    const int host = clusters.host_of(rank);
    const int first = clusters.first_of_host(host), ranks = clusters.ranks_of_host(host);
    for (int distance = 1; distance < ranks; ++distance) {
        const int to = first + (rank - first + distance) % ranks;
        const int from = first + (rank - first - distance + ranks) % ranks;
        builder.receive(exchange.incoming(from), from);
        builder.send(exchange.outgoing(to), to);
    }
}

} // namespace alltold

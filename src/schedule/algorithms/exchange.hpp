// SPDX-License-Identifier: BSD-3-Clause
// The regions of one rank's blocks in an all-to-all or all-to-all-v.
#pragma once

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/builder.hpp"

namespace alltold {

class Exchange {
  public:
    explicit Exchange(const Task& task) : task_(task) {}

    /// This rank's block for `peer`.
    Region outgoing(int peer) const {
        if (!task_.shares)
            return outgoing(peer, 1);
        const auto at = static_cast<std::size_t>(peer);
        return {Buffer::send, task_.shares->send_offsets[at], task_.shares->send_bytes[at]};
    }
    /// The block of `peer` for this rank.
    Region incoming(int peer) const {
        if (!task_.shares)
            return incoming(peer, 1);
        const auto at = static_cast<std::size_t>(peer);
        return {Buffer::receive, task_.shares->receive_offsets[at],
                task_.shares->receive_bytes[at]};
    }
    /// The blocks for (or of) `count` ranks from `first` on; all-to-all only.
    Region outgoing(int first, int count) const {
        return {Buffer::send, bytes(first), bytes(count)};
    }
    Region incoming(int first, int count) const {
        return {Buffer::receive, bytes(first), bytes(count)};
    }
    Step copy_own(Builder& builder) const {
        return builder.copy(outgoing(task_.rank), incoming(task_.rank));
    }
    std::uint64_t bytes(int blocks) const {
        return static_cast<std::uint64_t>(blocks) * task_.size_bytes;
    }

  private:
    const Task& task_;
};

/// Exchanges whole blocks between `rank` and the others of `ranks` ranks from `first` on, all at
/// once.
inline void exchange_among(Builder& builder, const Exchange& exchange, int first, int ranks,
                           int rank) {
    for (int distance = 1; distance < ranks; ++distance) {
        const int to = first + (rank - first + distance) % ranks;
        const int from = first + (rank - first - distance + ranks) % ranks;
        builder.receive(exchange.incoming(from), from);
        builder.send(exchange.outgoing(to), to);
    }
}

/// Among the ranks of a host, which do not use its port, so no window counts them.
inline void exchange_within_host(Builder& builder, const Exchange& exchange,
                                 const Clusters& clusters, int rank) {
    const int host = clusters.host_of(rank);
    exchange_among(builder, exchange, clusters.first_of_host(host), clusters.ranks_of_host(host),
                   rank);
}

} // namespace alltold

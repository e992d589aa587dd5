// SPDX-License-Identifier: BSD-3-Clause
// Ranks numbered from the root, modulo the ranks, and the regions of their blocks at the root.
#pragma once

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/builder.hpp"

namespace alltold {

/// Places 0, 1, ... from the root on: place p is rank (root + p) mod ranks.
class Ring {
  public:
    explicit Ring(const Task& task)
        : ranks_(task.ranks), root_(task.root), size_bytes_(task.size_bytes) {}

    int rank_at(int place) const { return (root_ + place) % ranks_; }
    int place_of(int rank) const { return (rank - root_ + ranks_) % ranks_; }
    std::uint64_t bytes(int blocks) const {
        return static_cast<std::uint64_t>(blocks) * size_bytes_;
    }

    /// The blocks of places [first, first + count) in a buffer ordered by rank: one region, or two
    /// where they wrap around; the second is empty if there is only one.
    std::array<Region, 2> blocks(Buffer buffer, int first, int count) const {
        const int from = rank_at(first);
        const int before_end = std::min(count, ranks_ - from);
        return {Region{buffer, bytes(from), bytes(before_end)},
                Region{buffer, 0, bytes(count - before_end)}};
    }

  private:
    int ranks_;
    int root_;
    std::uint64_t size_bytes_;
};

/// Sends the blocks of places [first, first + count) from the root's send buffer as one message,
/// which needs a copy only where they wrap around the end of the buffer.
inline Step send_from_root(Builder& builder, const Ring& ring, int first, int count, int to_rank,
                           Step after) {
    const auto [low, high] = ring.blocks(Buffer::send, first, count);
    if (high.size_bytes == 0)
        return builder.send(low, to_rank, {after});
    const auto whole = builder.scratch(low.size_bytes + high.size_bytes);
    const auto copied = builder.copy(low, subregion(whole, 0, low.size_bytes));
    const auto all =
        builder.copy(high, subregion(whole, low.size_bytes, high.size_bytes), {copied});
    return builder.send(whole, to_rank, {all, after});
}

/// The mirror: receives them into the root's receive buffer.
inline Step receive_at_root(Builder& builder, const Ring& ring, int first, int count,
                            int from_rank) {
    const auto [low, high] = ring.blocks(Buffer::receive, first, count);
    if (high.size_bytes == 0)
        return builder.receive(low, from_rank);
    const auto whole = builder.scratch(low.size_bytes + high.size_bytes);
    const auto received = builder.receive(whole, from_rank);
    builder.copy(subregion(whole, 0, low.size_bytes), low, {received});
    return builder.copy(subregion(whole, low.size_bytes, high.size_bytes), high, {received});
}

} // namespace alltold

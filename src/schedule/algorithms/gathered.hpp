// SPDX-License-Identifier: BSD-3-Clause
// The regions of one rank's blocks in an allgather.
#pragma once

#include <span>

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/builder.hpp"

namespace alltold {

class Gathered {
  public:
    explicit Gathered(const Task& task) : rank_(task.rank), size_bytes_(task.size_bytes) {}

    /// This rank's block, in its send buffer.
    Region own() const { return {Buffer::send, 0, size_bytes_}; }
    /// Where the blocks of `count` ranks from `first` on belong.
    Region blocks(int first, int count = 1) const {
        return {Buffer::receive, bytes(first), bytes(count)};
    }
    Step copy_own(Builder& builder) const { return builder.copy(own(), blocks(rank_)); }
    std::uint64_t bytes(int blocks) const {
        return static_cast<std::uint64_t>(blocks) * size_bytes_;
    }

  private:
    int rank_;
    std::uint64_t size_bytes_;
};

/// Adds the rounds: a rank with the blocks of the `held[k]` ranks from itself on gets the next ones
/// from the rank `held[k]` after it, until it has held[k + 1]. held[0] is 1, the last is all ranks,
/// and each is at most twice the one before. `own` is the step after which the rank's block is
/// where later rounds send it from; the first one sends it from the send buffer. `regions(first,
/// count)` are the one or two regions of `count` blocks, counted from this rank's own; both ends of
/// a message must cut it alike. A round waits for all of the one before, as ranks that exchange
/// little do best with blocking calls. Returns the step after which all blocks are there.
template <typename Regions>
Step add_gathering_rounds(Builder& builder, const Task& task, std::span<const int> held, Step own,
                          Regions regions) {
    Step before = no_step;
    for (std::size_t k = 0; k + 1 < held.size(); ++k) {
        const int distance = held[k], count = held[k + 1] - distance;
        const int to = (task.rank - distance + task.ranks) % task.ranks;
        const int from = (task.rank + distance) % task.ranks;
        auto out = regions(0, count), in = regions(distance, count);
        if (k == 0)
            out[0] = Gathered(task).own();
        const auto round = {builder.receive(in[0], from, {before}),
                            builder.receive(in[1], from, {before}),
                            builder.send(out[0], to, {before}), builder.send(out[1], to, {before})};
        before = builder.join(round);
        if (k == 0)
            builder.also_after(before, own);
    }
    return before;
}

} // namespace alltold

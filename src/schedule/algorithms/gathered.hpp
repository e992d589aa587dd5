// SPDX-License-Identifier: BSD-3-Clause
// The regions of one rank's blocks in an allgather.
#pragma once

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

} // namespace alltold

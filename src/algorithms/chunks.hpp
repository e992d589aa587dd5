// SPDX-License-Identifier: BSD-3-Clause
// Blocks cut into chunks of one size, of which the last may be shorter.
#pragma once

#include <algorithm>

#include "schedule/builder.hpp"

namespace alltold {

class Chunks {
  public:
    /// 0: a block is one chunk.
    explicit Chunks(std::uint64_t segment_bytes) : segment_bytes_(segment_bytes) {}

    std::uint64_t count(const Region& block) const {
        return segment_bytes_ == 0 ? block.size_bytes > 0
                                   : (block.size_bytes + segment_bytes_ - 1) / segment_bytes_;
    }
    /// Chunk `number` of `block`; empty when the block is shorter.
    Region of(const Region& block, std::uint64_t number) const {
        const auto from = std::min(number * segment_bytes_, block.size_bytes);
        const auto left = block.size_bytes - from;
        return part_of(block, from, segment_bytes_ == 0 ? left : std::min(left, segment_bytes_));
    }

  private:
    std::uint64_t segment_bytes_;
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Regions cut into parts of one size.
#pragma once

#include <algorithm>

#include "schedule/builder.hpp"

namespace alltold {

/// Parts 0, 1, ... of `region`, `part_bytes` each but for the last; 0 leaves it whole.
class Parts {
  public:
    Parts(Region region, std::uint64_t part_bytes)
        : region_(region), part_bytes_(part_bytes == 0 ? region.size_bytes : part_bytes) {}

    /// None for a region of no bytes.
    std::int64_t count() const {
        return region_.size_bytes == 0
                   ? 0
                   : static_cast<std::int64_t>((region_.size_bytes - 1) / part_bytes_ + 1);
    }
    /// Part `number`; of no bytes where there are not so many.
    Region at(std::int64_t number) const {
        const auto from = static_cast<std::uint64_t>(std::min(number, count())) * part_bytes_;
        const auto start = std::min(from, region_.size_bytes);
        return part_of(region_, start, std::min(part_bytes_, region_.size_bytes - start));
    }

  private:
    Region region_;
    std::uint64_t part_bytes_;
};

/// Many regions cut alike.
class Chunks {
  public:
    /// 0: a region is one chunk.
    explicit Chunks(std::uint64_t chunk_bytes) : chunk_bytes_(chunk_bytes) {}

    std::uint64_t count(const Region& region) const {
        return static_cast<std::uint64_t>(Parts(region, chunk_bytes_).count());
    }
    /// Chunk `number` of `region`; empty when the region has not so many.
    Region of(const Region& region, std::uint64_t number) const {
        return Parts(region, chunk_bytes_).at(static_cast<std::int64_t>(number));
    }

  private:
    std::uint64_t chunk_bytes_;
};

} // namespace alltold

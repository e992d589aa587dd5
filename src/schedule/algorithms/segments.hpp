// SPDX-License-Identifier: BSD-3-Clause
// Regions cut into segments of one size.
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedule/builder.hpp"

namespace alltold {

/// Segments 0, 1, ... of `region`: `segment_bytes` each, the last one possibly shorter. A size of 0
/// leaves the region whole.
class Segments {
  public:
    Segments(Region region, std::uint64_t segment_bytes)
        : region_(region), segment_bytes_(segment_bytes == 0 ? region.size_bytes : segment_bytes) {}

    /// 0 for an empty region.
    std::int64_t count() const {
        return region_.size_bytes == 0
                   ? 0
                   : static_cast<std::int64_t>((region_.size_bytes - 1) / segment_bytes_ + 1);
    }
    /// Segment `number`; empty at or beyond count().
    Region at(std::int64_t number) const {
        const auto from = static_cast<std::uint64_t>(std::min(number, count())) * segment_bytes_;
        const auto start = std::min(from, region_.size_bytes);
        return subregion(region_, start, std::min(segment_bytes_, region_.size_bytes - start));
    }

  private:
    Region region_;
    std::uint64_t segment_bytes_;
};

/// Cuts any region into segments of one size.
class Segmentation {
  public:
    /// 0 leaves regions whole.
    explicit Segmentation(std::uint64_t segment_bytes) : segment_bytes_(segment_bytes) {}

    std::uint64_t count(const Region& region) const {
        return static_cast<std::uint64_t>(Segments(region, segment_bytes_).count());
    }
    /// Segment `number` of `region`; empty at or beyond its count.
    Region of(const Region& region, std::uint64_t number) const {
        return Segments(region, segment_bytes_).at(static_cast<std::int64_t>(number));
    }

  private:
    std::uint64_t segment_bytes_;
};

} // namespace alltold

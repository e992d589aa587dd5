// SPDX-License-Identifier: BSD-3-Clause
// Regions cut into segments of equal size, and a pass that cuts the large messages of a schedule.
#pragma once

#include <algorithm>

#include "schedule/builder.hpp"

namespace alltold {

/// Segments 0, 1, ... of `region`: as few as segments of at most `most_bytes` can be, all of one
/// size but for a unit, the larger ones first; a short last one would leave the pipeline idle. A
/// size of 0 leaves the region whole. Cuts fall between units; a segment has at least one.
class Segments {
  public:
    Segments(Region region, std::uint64_t most_bytes, std::uint64_t unit_bytes = 1)
        : region_(region), unit_bytes_(unit_bytes), units_(region.size_bytes / unit_bytes) {
        const auto most = std::max<std::uint64_t>(most_bytes / unit_bytes, 1);
        count_ = units_ == 0 ? 0 : most_bytes == 0 ? 1 : (units_ - 1) / most + 1;
    }
    /// `count` parts, the last ones empty where there are fewer units.
    static Segments parts(Region region, int count, std::uint64_t unit_bytes) {
        Segments result(region, 0, unit_bytes);
        result.count_ = static_cast<std::uint64_t>(count);
        return result;
    }

    /// 0 for an empty region.
    std::int64_t count() const { return static_cast<std::int64_t>(count_); }
    /// Segment `number`; empty at or beyond count().
    Region at(std::int64_t number) const {
        const auto k = static_cast<std::uint64_t>(number);
        return k < count_ ? subregion(region_, start(k), start(k + 1) - start(k))
                          : subregion(region_, region_.size_bytes, 0);
    }

  private:
    std::uint64_t start(std::uint64_t k) const {
        return (units_ / count_ * k + std::min(k, units_ % count_)) * unit_bytes_;
    }

    Region region_;
    std::uint64_t unit_bytes_;
    std::uint64_t units_;
    std::uint64_t count_;
};

/// Cuts any region into segments of at most one size.
class Segmentation {
  public:
    /// 0 leaves regions whole.
    explicit Segmentation(std::uint64_t most_bytes, std::uint64_t unit_bytes = 1)
        : most_bytes_(most_bytes), unit_bytes_(unit_bytes) {}

    std::uint64_t count(const Region& region) const {
        return static_cast<std::uint64_t>(Segments(region, most_bytes_, unit_bytes_).count());
    }
    /// Segment `number` of `region`; empty at or beyond its count.
    Region of(const Region& region, std::uint64_t number) const {
        return Segments(region, most_bytes_, unit_bytes_).at(static_cast<std::int64_t>(number));
    }

  private:
    std::uint64_t most_bytes_, unit_bytes_;
};

/// The schedule with every message and combination of more than `segment_bytes` cut into as
/// few equal segments of whole units as can be (see Segments); 0 cuts none. All ranks must use the
/// same sizes. Where an operation reads or writes exactly the bytes of one of its predecessors,
/// segment k waits only for segment k: the pipeline of Barchet-Steffenel and Mounie 2004,
/// section 3. Otherwise all segments wait for all.
Schedule segmented(const Schedule& schedule, std::uint64_t segment_bytes,
                   std::uint64_t unit_bytes = 1);

} // namespace alltold

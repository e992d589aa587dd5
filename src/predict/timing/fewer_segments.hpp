// SPDX-License-Identifier: BSD-3-Clause
// A smaller call with the same schedule structure.
#pragma once

#include "schedule/specification.hpp"

namespace alltold {

/// A schedule with so many segments, or of so many ranks, tells what one with more would, and fits
/// the memory.
inline constexpr int most_built = 1024;

struct FewerSegments {
    Specification specification;
    double share = 1; ///< of the bytes of the whole call
};

/// `whole` with blocks of at most `most` (at least 1) segments of `segment_bytes`, where 0 means
/// that blocks are not cut; the elements of a reduction are then bytes. A call of fewer segments
/// stays as it is.
inline FewerSegments fewer_segments(const Specification& whole, std::uint64_t segment_bytes,
                                    std::uint64_t most = most_built) {
    const auto size_bytes = whole.size_bytes();
    if (segment_bytes == 0 || size_bytes / segment_bytes < most)
        return {whole};
    const auto bounded_bytes = most * segment_bytes;
    return {Specification::of(whole.collective(), whole.ranks(), whole.root(), bounded_bytes),
            static_cast<double>(bounded_bytes) / static_cast<double>(size_bytes)};
}

} // namespace alltold

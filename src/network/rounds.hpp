// SPDX-License-Identifier: BSD-3-Clause
// Rounds of trees, and the segments of a message.
#pragma once

#include <bit>
#include <cassert>
#include <cmath>

namespace alltold {

/// ceil(log2 n) and floor(log2 n) of n >= 1.
inline int log2_up(int n) {
    assert(n >= 1);
    return std::bit_width(static_cast<unsigned>(n) - 1U);
}
inline int log2_down(int n) {
    assert(n >= 1);
    return std::bit_width(static_cast<unsigned>(n)) - 1;
}

/// A message of m bytes in k segments of at most s bytes, equal but for a byte. BM04 counts k
/// segments of s; if s divides m this is the same.
struct SegmentSizes {
    double count = 1;  ///< k
    double larger = 0; ///< how many of them are of larger_bytes, the others of a byte less
    double larger_bytes = 0;

    double smaller_bytes() const { return larger == count ? larger_bytes : larger_bytes - 1; }

    /// m >= 0 and s >= 0 bytes; s = 0 and s >= m leave the message whole.
    static SegmentSizes of(double size_bytes, double segment_bytes) {
        if (segment_bytes <= 0 || segment_bytes >= size_bytes)
            return {1, 1, size_bytes};
        const double count = std::ceil(size_bytes / segment_bytes);
        const double larger_bytes = std::ceil(size_bytes / count);
        return {count, size_bytes - count * (larger_bytes - 1), larger_bytes};
    }
};

} // namespace alltold

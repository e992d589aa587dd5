// SPDX-License-Identifier: BSD-3-Clause
// Rounds of trees, and the segments of a message.
#pragma once

#include <algorithm>
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

/// A message of m bytes in segments of s bytes, the last of which may be smaller. BM04 counts k
/// segments of s; if s divides m this is the same.
struct Segments {
    double count = 1;      ///< k
    double size_bytes = 0; ///< of all but the last
    double last_bytes = 0;

    /// m >= 0 and s >= 0 bytes; s = 0 and s >= m leave the message whole.
    static Segments of(double size_bytes, double segment_bytes) {
        if (segment_bytes <= 0 || segment_bytes >= size_bytes)
            return {1, size_bytes, size_bytes};
        const double count = std::ceil(size_bytes / segment_bytes);
        return {count, segment_bytes, size_bytes - (count - 1) * segment_bytes};
    }
};

} // namespace alltold

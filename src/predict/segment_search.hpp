// SPDX-License-Identifier: BSD-3-Clause
// The best segment size under any cost (BM04, section 3).
#pragma once

#include <cstdint>
#include <functional>

namespace alltold {

struct SegmentChoice {
    std::uint64_t segment_bytes = 0;
    double time_s = 0;
};

/// The segment of least_bytes (at least 1) .. size_bytes bytes for which `time_s` is least, as BM04
/// searches it: every s = m / 2^i, then local hill-climbing from the best of them (Kielmann et al.
/// 2000). Never worse than any m / 2^i, and the optimum where time_s falls strictly up to one size
/// and grows strictly beyond. About 3 log2(m) calls, at most 7 log2(m) + 8.
SegmentChoice search_segment(std::uint64_t size_bytes,
                             const std::function<double(std::uint64_t segment_bytes)>& time_s,
                             std::uint64_t least_bytes = 1);

} // namespace alltold

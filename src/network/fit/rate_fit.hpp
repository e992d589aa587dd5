// SPDX-License-Identifier: BSD-3-Clause
// A rate from what several lengths take: of trains on a link, of copies in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/estimate.hpp"
#include "core/result.hpp"
#include "network/samples.hpp"

namespace alltold {

struct RateFit {
    Estimate goodput_bytes_per_s;
    Estimate offset_s;            ///< of the line offset + bytes / goodput; below 0 where a link
                                  ///< lets the first packets pass at once
    double residual_relative = 0; ///< root mean square of what is left about the line
};

/// The slope of time against bytes, Series::size_bytes being the bytes of a whole train or of one
/// message. The offset is free, unlike that of fit_hockney, so that bytes that a token bucket
/// passes at first do not change the rate. Each length is weighted by its own scatter. Refuses
/// (status `no`), naming `what` and the reason, fewer than three lengths, lengths that span less
/// than a factor of 4, fewer than three repetitions, times that are not positive and finite, and
/// times that no line distinguishes from noise.
Result<RateFit> fit_rate(std::span<const Series> lengths, std::string_view what,
                         std::uint64_t seed = 1);

} // namespace alltold

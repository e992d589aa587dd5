// SPDX-License-Identifier: BSD-3-Clause
// A parameter as a curve over sizes, gaps from trains of two lengths, and a rate from what several
// lengths take: of trains on a link, of copies in memory.
#pragma once

#include "network/samples.hpp"
#include "network/size_curve.hpp"

namespace alltold {

/// The medians over `series` by size, each with its 95 % interval from the bootstrap over groups
/// and repetitions, never falling with size: where one is below a smaller size's, both take the
/// mean their scatter weighs. Refuses (status `no`), naming `what` and the reason, fewer than three
/// sizes, fewer than three repetitions of one, times that are not positive and finite, and times
/// that cannot be distinguished from noise since they do not grow with size.
Result<SizeCurve> fit_curve(std::span<const Series> series, std::string_view what,
                            std::uint64_t seed = 1);

/// A train of messages and what it took, from the first send to the last receipt and maybe an
/// answer; Series::n and size_bytes as there.
struct Train {
    int messages = 0; ///< of all senders together
    Series series;
};

/// Seconds between two messages of a train, by size: of trains of one size and group that differ in
/// length, the time that the longest takes longer than the shortest, per message more, so that
/// start-up and answer fall out (TW99 section 3, g_s and g_r; Kielmann et al. 2000). Refuses as
/// fit_curve does, and trains of a single length.
Result<SizeCurve> fit_gap(std::span<const Train> trains, std::string_view what,
                          std::uint64_t seed = 1);

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

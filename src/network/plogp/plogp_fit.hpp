// SPDX-License-Identifier: BSD-3-Clause
// The parameters of pLogP from the probes' samples.
#pragma once

#include "network/plogp/plogp.hpp"
#include "network/samples.hpp"

namespace alltold {

/// The input of a pLogP fit: one series for each size and pair (Series::group).
struct PLogPSamples {
    std::vector<Series> send;       ///< seconds of a send call
    std::vector<Series> receive;    ///< seconds of a receive call, the message being there
    std::vector<Series> gap;        ///< seconds a message of a long train takes
    std::vector<Series> round_trip; ///< half round trips of the smallest message
};

/// A curve through the medians of the sizes measured, each with the 95 % interval of the median
/// (over pairs too, where there are several). Refuses (status `no`), naming `what` and the reason:
/// fewer than four sizes, fewer than three repetitions, times that are not positive and finite,
/// sizes that span less than a factor of 8, times that do not grow with size, and times that their
/// neighbours in size say nothing about.
Result<SizeCurve> fit_plogp_curve(std::span<const Series> series, const char* what,
                                  std::uint64_t seed = 1);

/// The fitted parameters, and the refused ones.
struct PLogPFit {
    PLogP network;                    ///< o_s and o_r have no points where they were refused
    std::vector<std::string> refused; ///< one reason each
};

/// pLogP (Kielmann et al. 2000): o_s, o_r and g as curves, and L = RTT(m) / 2 - g(m) at the
/// smallest m, its interval from the bootstrap of both. Deviation: where that is below zero L is 0,
/// with half the round trip as the interval's upper end: a shaped link lets a single packet pass at
/// once and makes those of a train wait, so that no L satisfies the model. Refuses g as
/// fit_plogp_curve does, and L without round trips of three repetitions. The processor's shares o_s
/// and o_r are refused by themselves: what the network takes can be known without them.
Result<PLogPFit> fit_plogp(const PLogPSamples& samples, std::uint64_t seed = 1);

} // namespace alltold

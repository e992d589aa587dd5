// SPDX-License-Identifier: BSD-3-Clause
// How likely calls take time-outs that their simulation does not have.
#pragma once

#include <algorithm>

#include "network/model_time.hpp"

namespace alltold {

/// A queue that is filled less, as a share of the whole, does not overflow by chance: 1 % of such
/// calls lost packets, 0 % took a time-out (3,805 calls of 40 labs, docs/results/blind.md, "Full
/// queues").
inline constexpr double well_filled = 0.5;
/// A queue this full may overflow by chance: 3 % of the calls that filled one less than eight
/// tenths took a time-out, 11 % of those that filled it more, 27 % of those that overflowed it (621
/// calls of 40 labs, docs/results/blind.md, "Full queues").
inline constexpr double nearly_full = 0.7, timeouts_of_overflow = 0.27;

/// The chance that a repetition takes a time-out although its simulation has none: rises in
/// proportion from nearly_full to an overflow.
inline double chance_of_timeout(const ModelTime& time) {
    if (time.timeouts_s.value > 0)
        return 0; // the model counts them
    const double full = time.may_lose || time.overflow_bytes > 0
                            ? 1
                            : std::clamp((time.fullest - nearly_full) / (1 - nearly_full), 0., 1.);
    return timeouts_of_overflow * full;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// What rank 0 asks the other ranks to do.
#pragma once

#include <string>

#include "store/campaign.hpp"

namespace alltold::campaign {

/// Repetitions of one point. Self-contained: ranks need no plan.
struct Measurement {
    Point point;
    int root = 0; ///< of a rooted collective
    /// At most, not counting warm-ups; 0: one warm-up alone, however late a rank starts.
    int repetitions = 0;
    double limit_s = 0;                        ///< how long it may take
    StartMode start_mode = StartMode::silence; ///< what repetitions of a collective follow
    bool warm = false;                         ///< the first repetition counts
    /// Check every byte that a collective delivers; there is one repetition then.
    bool verify = false;
    /// Makes the bytes of a verified repetition unique.
    std::uint64_t pattern = 0;
    /// Record when each operation of the schedule started and ended; of algorithms of ours.
    bool trace = false;
};

/// One order of rank 0.
struct Order {
    enum class What : int { measure, compare_clocks, finish } what = What::finish;
    Measurement measurement = {};
    ExitStatus status = ExitStatus::done; ///< finish: what to exit with
};

/// The message, and back.
std::string message_of(const Order& order);
Order order_in(std::string_view message);

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Which numbers a field of JSON takes.
#pragma once

#include <limits>

namespace alltold {

/// Which numbers a field takes, and how to say so.
struct NumberRange {
    const char* unit = "";   ///< "seconds", "bytes"; empty for a plain number
    double least = 0;        ///< smallest number allowed
    bool above_only = false; ///< `least` itself is not allowed
    bool whole = false;      ///< a whole number that fits an int
};
inline constexpr NumberRange any_number{"", -std::numeric_limits<double>::infinity()};
inline constexpr NumberRange in_seconds{"seconds", 0};
inline constexpr NumberRange seconds_above_zero{"seconds", 0, true};
inline constexpr NumberRange in_seconds_per_byte{"seconds per byte", 0, true};
inline constexpr NumberRange in_bytes{"bytes", 0};
inline constexpr NumberRange from_zero{"", 0};
inline constexpr NumberRange above_zero{"", 0, true};
inline constexpr NumberRange from_one{"", 1};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Converts floating-point numbers to whole ones, which C++ defines only for those that fit.
#pragma once

#include <concepts>

namespace alltold {

/// `number` without its fraction, or the nearer of `least` and `most` where it lies outside them;
/// `least` for not-a-number. Both must be exact as doubles, or at most 2^63.
template <std::integral T>
T whole_between(double number, T least, T most) {
    if (!(number > static_cast<double>(least)))
        return least;
    return number < static_cast<double>(most) ? static_cast<T>(number) : most;
}

} // namespace alltold

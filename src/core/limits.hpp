// SPDX-License-Identifier: BSD-3-Clause
// The largest numbers that calls, networks and files may hold, and numbers made whole within
// limits.
#pragma once

#include <concepts>
#include <cstdint>

namespace alltold {

/// The most ranks of a call or a network.
inline constexpr int most_ranks = 1'000'000;
/// The most ranks of an all-to-all-v, which has a size for every pair of them.
inline constexpr int most_ranks_of_matrix = 4096;
/// The largest size; doubles hold all whole numbers up to it.
inline constexpr std::uint64_t most_size_bytes = 9'000'000'000'000'000;
/// The largest window; twice as many messages still fit an int.
inline constexpr int most_window = 1 << 29;

/// `number` without its fraction, or the nearer of `least` and `most` where it lies outside them;
/// `least` for not-a-number. Both must be exact as doubles, or at most 2^63.
template <std::integral T>
T whole_between(double number, T least, T most) {
    if (!(number > static_cast<double>(least)))
        return least;
    return number < static_cast<double>(most) ? static_cast<T>(number) : most;
}

} // namespace alltold

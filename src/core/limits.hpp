// SPDX-License-Identifier: BSD-3-Clause
// The largest numbers that calls, networks and files may hold.
#pragma once

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

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Powers of two around a number of ranks.
#pragma once

#include <bit>

namespace alltold::test {

inline int ceil_log2(int n) {
    return std::bit_width(static_cast<unsigned>(n - 1));
}
inline int floor_log2(int n) {
    return std::bit_width(static_cast<unsigned>(n)) - 1;
}
inline bool is_power_of_two(int n) {
    return std::has_single_bit(static_cast<unsigned>(n));
}

} // namespace alltold::test

// SPDX-License-Identifier: BSD-3-Clause
// How large this processor's caches are.
#pragma once

#include <cstddef>

namespace alltold::campaign {

struct Caches {
    std::size_t nearest_bytes = 0; ///< first level, data
    std::size_t last_bytes = 0;    ///< the largest of all levels
};

/// What sysconf or /sys says, else what a sweep of copies shows: the sizes up to which a byte takes
/// at most a quarter more than at 4 KiB, and up to which it gets no slower than half as much again
/// as the size before.
Caches find_caches();

} // namespace alltold::campaign

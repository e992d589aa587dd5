// SPDX-License-Identifier: BSD-3-Clause
// The sizes of this processor's caches.
#pragma once

#include <cstddef>

namespace alltold::campaign {

struct Caches {
    std::size_t nearest_bytes = 0; ///< first level, data
    std::size_t last_bytes = 0;    ///< the largest of all levels
};

/// From sysconf or /sys, else from a sweep of copies: the size up to which a byte takes at most 25
/// % more than at 4 KiB, and the one up to which it takes at most 50 % more than at the previous
/// size.
Caches find_caches();

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Asks the kernel to wake this process promptly.
#pragma once

namespace alltold::campaign {

/// Timers of this process fire within a microsecond instead of fifty, and its time slices are the
/// shortest there are (0.1 ms, Linux 6.12 and later): on a machine with more ranks than processors
/// a rank then waits microseconds for its turn, not milliseconds. Needs no privilege; where the
/// kernel does not know the request nothing changes. Threads started later inherit it.
void wake_promptly();

} // namespace alltold::campaign

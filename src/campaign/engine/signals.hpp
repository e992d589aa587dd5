// SPDX-License-Identifier: BSD-3-Clause
// SIGINT and SIGTERM as a request to stop.
#pragma once

namespace alltold::campaign {

/// Catches SIGINT and SIGTERM from now on; `stop_requested` is true after one.
void catch_stop_signals();
bool stop_requested();
/// The signal; 0: none.
int stop_signal();

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// SIGINT and SIGTERM as a request to stop, and a watchdog against waiting for ever.
#pragma once

namespace alltold::campaign {

/// Catches SIGINT and SIGTERM from now on; `stop_requested` is true after one.
void catch_stop_signals();
bool stop_requested();
/// The signal; 0: none.
int stop_signal();

/// Ends the process with a message when not fed for `after_s` seconds: ranks would otherwise wait
/// for a dead peer for ever. One per process.
class Watchdog {
  public:
    Watchdog(int rank, unsigned after_s);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog();
    void feed() const;

  private:
    unsigned after_s_;
};

} // namespace alltold::campaign

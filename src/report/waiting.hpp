// SPDX-License-Identifier: BSD-3-Clause
// Says on standard error what the program is doing while the user waits.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace alltold {

/// While it lives: on a terminal a line with the seconds that have passed, from the first second
/// on; elsewhere one line after ten seconds. Leaves the terminal's line empty.
class Waiting {
  public:
    /// `what` is being done: "fitting net.db".
    explicit Waiting(std::string what);
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting();

  private:
    void show();

    std::string what_;
    bool terminal_;
    bool over_ = false;
    std::mutex mutex_;
    std::condition_variable ends_;
    std::thread thread_;
};

} // namespace alltold

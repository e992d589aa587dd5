// SPDX-License-Identifier: BSD-3-Clause
// One line on stderr that says how far a campaign is and how long it will still take.
#pragma once

#include <string>

namespace alltold::measure {

/// Rewrites its line on a terminal; elsewhere prints one every ten seconds.
class Progress {
  public:
    Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Leaves the terminal's line empty.
    ~Progress();
    /// `now_s` is any clock that counts seconds; `left_s` is at most what is left of the budget.
    void show(double now_s, int points_done, int points, int samples, double left_s,
              const std::string& at);
    /// Any other line.
    void show(double now_s, const std::string& line);

  private:
    bool terminal_;
    bool shown_ = false;
    double next_s_ = 0;
};

} // namespace alltold::measure

// SPDX-License-Identifier: BSD-3-Clause
// The progress line of a campaign on standard error.
#pragma once

#include <functional>
#include <string>

namespace alltold::campaign {

/// Rewrites its line on a terminal; elsewhere prints one every ten seconds.
class Progress {
  public:
    Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Leaves the terminal's line empty.
    ~Progress();
    /// `now_s` is any clock that counts seconds; `line` is called only when it will be shown.
    void show(double now_s, const std::function<std::string()>& line);

  private:
    bool terminal_;
    bool shown_ = false;
    double next_s_ = 0;
};

} // namespace alltold::campaign

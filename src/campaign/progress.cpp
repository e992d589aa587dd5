// SPDX-License-Identifier: BSD-3-Clause
// Progress on stderr.
#include "campaign/progress.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace alltold::measure {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (terminal_ && shown_)
        fmt::print(stderr, "\r\033[K");
}

void Progress::show(double now_s, int points_done, int points, int samples, double left_s,
                    const std::string& at) {
    show(now_s, fmt::format("measure: {} of {} points done, {} samples, {:.0f} s left, at {}",
                            points_done, points, samples, left_s, at));
}

void Progress::show(double now_s, const std::string& line) {
    const double pause_s = terminal_ ? 0.1 : 10;
    if (next_s_ == 0 && !terminal_)
        next_s_ = now_s + pause_s;
    if (now_s < next_s_)
        return;
    next_s_ = now_s + pause_s;
    if (terminal_)
        fmt::print(stderr, "\r{:.99}\033[K", line);
    else
        fmt::print(stderr, "{}\n", line);
    std::fflush(stderr);
    shown_ = true;
}

} // namespace alltold::measure

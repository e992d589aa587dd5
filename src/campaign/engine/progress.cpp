// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "core/text.hpp"

namespace alltold::campaign {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (terminal_ && shown_)
        say("\r\033[K");
}

void Progress::show(double now_s, const std::function<std::string()>& line) {
    const double pause_s = terminal_ ? 0.1 : 10;
    if (next_s_ == 0 && !terminal_)
        next_s_ = now_s + pause_s;
    if (now_s < next_s_)
        return;
    next_s_ = now_s + pause_s;
    if (terminal_)
        say(fmt::format("\r{:.99}\033[K", line()));
    else
        say(fmt::format("{}\n", line()));
    shown_ = true;
}

} // namespace alltold::campaign

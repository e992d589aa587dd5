// SPDX-License-Identifier: BSD-3-Clause
#include "report/waiting.hpp"

#include <chrono>

#include <fmt/format.h>
#include <unistd.h>

#include "core/parallel.hpp"
#include "core/text.hpp"

namespace alltold {
namespace {

constexpr std::chrono::seconds elsewhere(10);

} // namespace

Waiting::Waiting(std::string what) : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) == 1) {
    thread_ = side_thread([this] { show(); });
}

Waiting::~Waiting() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ends_.notify_one();
    thread_.join();
}

void Waiting::show() {
    std::unique_lock lock(mutex_);
    const auto pause = terminal_ ? std::chrono::seconds(1) : elsewhere;
    bool shown = false;
    for (auto passed = pause; !ends_.wait_for(lock, pause, [this] { return over_; });
         passed += pause) {
        if (terminal_)
            say(fmt::format("\r{:.80}: {} s\033[K", what_, passed.count()));
        else if (!shown)
            say(fmt::format("{} ...\n", what_));
        shown = true;
    }
    if (shown && terminal_)
        say("\r\033[K");
}

} // namespace alltold

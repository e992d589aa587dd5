// SPDX-License-Identifier: BSD-3-Clause
// Signal handlers; only async-signal-safe calls inside.
#include "campaign/engine/signals.hpp"

#include <atomic>
#include <csignal>

namespace alltold::campaign {
namespace {

std::atomic<int> stop{0};
static_assert(std::atomic<int>::is_always_lock_free);

void on_stop(int signal) {
    stop = signal;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

} // namespace

void catch_stop_signals() {
    handle(SIGINT, on_stop);
    handle(SIGTERM, on_stop);
}

bool stop_requested() {
    return stop != 0;
}

int stop_signal() {
    return stop;
}

} // namespace alltold::campaign

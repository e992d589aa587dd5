// SPDX-License-Identifier: BSD-3-Clause
// Signal handlers; only async-signal-safe calls inside.
#include "campaign/engine/signals.hpp"

#include <atomic>
#include <csignal>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "core/result.hpp"

namespace alltold::campaign {
namespace {

std::atomic<int> stop{0};
static_assert(std::atomic<int>::is_always_lock_free);
std::string last_words;

void on_stop(int signal) {
    stop = signal;
}

void on_alarm(int) {
    const auto written = write(STDERR_FILENO, last_words.data(), last_words.size());
    _exit(written < 0 ? 1 : static_cast<int>(ExitStatus::environment));
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

Watchdog::Watchdog(int rank, unsigned after_s) : after_s_(after_s) {
    last_words = fmt::format("alltold: rank {} received nothing from the other ranks for {} s and "
                             "stops; another rank may have died\n",
                             rank, after_s);
    handle(SIGALRM, on_alarm);
    feed();
}

Watchdog::~Watchdog() {
    alarm(0);
}

void Watchdog::feed() const {
    alarm(after_s_);
}

} // namespace alltold::campaign

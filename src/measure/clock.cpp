// SPDX-License-Identifier: BSD-3-Clause
// The monotonic clock and its translation.
#include "measure/clock.hpp"

#include <cerrno>
#include <cmath>
#include <ctime>

#include <sched.h>

namespace alltold::measure {
namespace {

/// What a sleeper's wake-up may take; spent awake instead.
constexpr double awake_s = 40e-6;
constexpr std::size_t readings_kept = 10;

void sleep_until_true(double true_s) {
    timespec until{};
    until.tv_sec = static_cast<std::time_t>(true_s);
    until.tv_nsec = static_cast<long>((true_s - std::floor(true_s)) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
}

} // namespace

double Clock::true_now_s() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void Clock::sleep_until(double until_s) const {
    const double true_s = (until_s - offset_s_) / (1 + drift_);
    if (true_s - true_now_s() > 2 * awake_s)
        sleep_until_true(true_s - awake_s);
    while (true_now_s() < true_s)
        sched_yield();
}

double GlobalClock::to_global(double local_s) const {
    const auto& at = readings_.back();
    return local_s + at.offset_s + drift_ * (local_s - at.local_s);
}

double GlobalClock::to_local(double global_s) const {
    const auto& at = readings_.back();
    return at.local_s + (global_s - at.offset_s - at.local_s) / (1 + drift_);
}

void GlobalClock::add(const ClockReading& reading) {
    if (!synchronised_)
        readings_.clear();
    synchronised_ = true;
    readings_.push_back(reading);
    if (readings_.size() > readings_kept)
        readings_.erase(readings_.begin());
    const auto& oldest = readings_.front();
    const double grown_s = reading.offset_s - oldest.offset_s;
    const double elapsed_s = reading.local_s - oldest.local_s;
    const bool told_from_error = std::abs(grown_s) > oldest.likely_s + reading.likely_s;
    drift_ = elapsed_s > 0 && told_from_error ? grown_s / elapsed_s : 0;
}

} // namespace alltold::measure

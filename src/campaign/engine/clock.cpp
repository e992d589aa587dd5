// SPDX-License-Identifier: BSD-3-Clause
// The monotonic clock and its translation.
#include "campaign/engine/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>

#include <sched.h>

namespace alltold::campaign {
namespace {

/// The time that a wake-up may take; spent awake instead.
constexpr double awake_s = 40e-6;
constexpr std::size_t readings_kept = 10;

void sleep_until_true(double true_s) {
    timespec until{};
    until.tv_sec = static_cast<std::time_t>(true_s);
    until.tv_nsec = static_cast<long>((true_s - std::floor(true_s)) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
}

/// Growth of the offset from the oldest to the newest reading; 0 where that could as well be their
/// error, or where a reading between them is off that line by more than errors explain.
double drift_of(const std::vector<ClockReading>& readings) {
    const auto& oldest = readings.front();
    const auto& newest = readings.back();
    // A comparison slower than the best one is probably off by as much as it was slower.
    double best_bound_s = newest.bound_s;
    for (const auto& reading : readings)
        best_bound_s = std::min(best_bound_s, reading.bound_s);
    const auto error_of = [&](const ClockReading& reading) {
        return std::max(reading.likely_s, reading.bound_s - best_bound_s);
    };
    const double error_s = error_of(oldest) + error_of(newest);
    const double grown_s = newest.offset_s - oldest.offset_s;
    const double elapsed_s = newest.local_s - oldest.local_s;
    if (elapsed_s <= 0 || std::abs(grown_s) <= error_s)
        return 0;
    const double drift = grown_s / elapsed_s;
    for (const auto& reading : readings) {
        const double line_s = oldest.offset_s + drift * (reading.local_s - oldest.local_s);
        if (std::abs(reading.offset_s - line_s) > error_s + error_of(reading))
            return 0;
    }
    return drift;
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
    drift_ = readings_.size() < 3 ? 0 : drift_of(readings_);
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/engine/start.hpp"

#include <algorithm>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace alltold::campaign {
namespace {

/// The kernel's struct sched_attr (sched_setattr(2)); the C library's header does not go together
/// with the kernel's.
struct SchedulingAttributes {
    std::uint32_t size = sizeof(SchedulingAttributes);
    std::uint32_t policy = SCHED_OTHER;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t slice_ns = 0;
    std::uint64_t deadline_ns = 0;
    std::uint64_t period_ns = 0;
};

} // namespace

void wake_promptly() {
    prctl(PR_SET_TIMERSLACK, 1000UL); // nanoseconds
    SchedulingAttributes request;
    request.nice = getpriority(PRIO_PROCESS, 0);
    request.slice_ns = 100'000;
    syscall(SYS_sched_setattr, 0, &request, 0U);
}

namespace {
/// Waking a napping rank, twice, on a machine that has other things to do.
constexpr double wake_s = 1e-3;
constexpr double most_s = 0.5;
constexpr double least_tolerance_s = 100e-6;
constexpr int late_to_double = 3;
constexpr int good_to_halve = 8;
} // namespace

void Finish::merge(const Finish& other) {
    finish_s = std::max(finish_s, other.finish_s);
    late_by_s = std::max(late_by_s, other.late_by_s);
    slack_s = std::min(slack_s, other.slack_s);
    reading = std::max(reading, other.reading);
    interrupted = interrupted || other.interrupted;
    if (other.wrong_rank >= 0 && (wrong_rank < 0 || other.wrong_rank < wrong_rank)) {
        wrong_rank = other.wrong_rank;
        wrong = other.wrong;
    }
    retransmitted += other.retransmitted;
    counted = counted && other.counted;
}

Margin::Margin(double round_trip_s, double least_round_trip_s)
    : least_s_(wake_s + least_round_trip_s), margin_s_(2 * (wake_s + round_trip_s)) {}

void Margin::learn(double slack_s) {
    const double needed_s = margin_s_ - slack_s;
    if (slack_s < 0.25 * margin_s_)
        margin_s_ = std::min(1.5 * margin_s_, most_s);
    else if (margin_s_ > 3 * needed_s)
        margin_s_ = std::max(0.8 * margin_s_, least_s_);
}

double negligible_lateness_s(double time_s, double likely_s, double share) {
    return std::max(2 * likely_s, share * time_s);
}

bool StartTolerance::judge(double late_by_s, double negligible_s) {
    const bool late = late_by_s > std::max(tolerance_s_, negligible_s);
    late_in_a_row_ = late ? late_in_a_row_ + 1 : 0;
    good_in_a_row_ = late_by_s < tolerance_s_ / 2 ? good_in_a_row_ + 1 : 0;
    if (late_in_a_row_ == late_to_double) {
        tolerance_s_ *= 2;
        late_in_a_row_ = 0;
    } else if (good_in_a_row_ == good_to_halve) {
        tolerance_s_ = std::max(tolerance_s_ / 2, least_tolerance_s);
        good_in_a_row_ = 0;
    }
    return late;
}

bool Starts::was_late(const std::string& clusters, const Timed& timed, double share) {
    auto& tolerance = tolerance_[clusters];
    const bool late = tolerance.judge(timed.worst.late_by_s,
                                      negligible_lateness_s(timed.time_s(), likely_s_, share));
    worst_tolerance_s_ = std::max(worst_tolerance_s_, tolerance.tolerance_s());
    if (late)
        late_ = {late_.count + 1, std::max(late_.worst_s, timed.worst.late_by_s)};
    return late;
}

Starts::Late Starts::take_late() {
    return std::exchange(late_, {});
}

} // namespace alltold::campaign

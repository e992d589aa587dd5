// SPDX-License-Identifier: BSD-3-Clause
// The margin before an agreed instant.
#include "measure/start.hpp"

#include <algorithm>

namespace alltold::measure {
namespace {
/// Waking a napping rank, twice, on a machine that has other things to do.
constexpr double wake_s = 1e-3;
constexpr double most_s = 0.5;
} // namespace

void Finish::merge(const Finish& other) {
    finish_s = std::max(finish_s, other.finish_s);
    late_by_s = std::max(late_by_s, other.late_by_s);
    slack_s = std::min(slack_s, other.slack_s);
    interrupted = interrupted || other.interrupted;
}

Margin::Margin(double round_trip_s) : least_s_(wake_s + round_trip_s), margin_s_(2 * least_s_) {}

void Margin::learn(double slack_s, bool late) {
    const double needed_s = margin_s_ - slack_s;
    if (late || slack_s < 0.25 * margin_s_)
        margin_s_ = std::min(1.5 * margin_s_, most_s);
    else if (margin_s_ > 3 * needed_s)
        margin_s_ = std::max(0.95 * margin_s_, least_s_);
}

} // namespace alltold::measure

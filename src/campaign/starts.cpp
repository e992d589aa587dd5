// SPDX-License-Identifier: BSD-3-Clause
// Late starts.
#include "campaign/starts.hpp"

#include <algorithm>
#include <utility>

namespace alltold::measure {

bool Starts::was_late(const Point& point, const Timed& timed) {
    margin_.learn(timed.worst.slack_s);
    auto& punctuality = punctuality_[point.clusters.text()];
    const bool late =
        punctuality.judge(timed.worst.late_by_s, negligible_lateness_s(timed.time_s(), likely_s_));
    worst_tolerance_s_ = std::max(worst_tolerance_s_, punctuality.tolerance_s());
    if (late)
        late_ = {late_.count + 1, std::max(late_.worst_s, timed.worst.late_by_s)};
    return late;
}

Starts::Late Starts::take_late() {
    return std::exchange(late_, {});
}

} // namespace alltold::measure

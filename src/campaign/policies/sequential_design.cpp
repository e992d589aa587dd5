// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/policies/sequential_design.hpp"

#include <fmt/format.h>

#include "campaign/plan.hpp"

namespace alltold::campaign {
namespace {

/// Measurements between two fits of the corrections: a fourth of those before, and at least this.
constexpr int least_between_fits = 6;

} // namespace

Point point_of(const DesignCall& call) {
    return {call.probe.text(), text_of(call.choice), call.clusters, call.size_bytes};
}

Result<std::optional<Measurement>> SequentialDesign::next(double now_s) {
    if (!started_s_)
        started_s_ = now_s;
    if (measurements_ - fitted_measurements_ >=
        std::max(least_between_fits, fitted_measurements_ / 4)) {
        design_.refit();
        fitted_measurements_ = measurements_;
    }
    const auto proposal = design_.next(left_s(now_s));
    if (!proposal)
        return std::optional<Measurement>();
    call_ = proposal->call;
    const auto& call = design_.calls()[call_];
    return std::optional(
        Measurement{.point = point_of(call),
                    .repetitions = proposal->repetitions,
                    .limit_s = std::min(left_s(now_s), 4 * proposal->cost_s),
                    .start_mode = call.probe.start_mode.value_or(options_.start_mode),
                    .warm = !proposal->warm_up});
}

Status SequentialDesign::observe(const Measurement&, const Observation& observation) {
    if (!observation.warm_up)
        design_.add(call_, observation.value);
    return Done{};
}

Status SequentialDesign::ended(const EngineStatus& status, double) {
    const auto [narrow, targets] = design_.narrow_targets();
    return store_.note(fmt::format("learning: {} measurements; {} of {} predictions are as precise "
                                   "as requested; {}",
                                   measurements_, narrow, targets, status.clocks.text()));
}

std::string SequentialDesign::progress(const Measurement& measurement, double now_s) const {
    const auto [narrow, targets] = design_.narrow_targets();
    return fmt::format("collectives: {} of {} predictions precise enough, {:.0f} s left, at {}",
                       narrow, targets, left_s(now_s) + options_.reserved_s,
                       describe(measurement.point));
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Stages by kind, passes in each, and the points of a pass.
#include "campaign/policies/calibrate.hpp"

#include <fmt/format.h>

#include "campaign/plan.hpp"
#include "campaign/probe.hpp"

namespace alltold::campaign {
namespace {

/// A point that needs larger buffers than this on a rank is left out.
constexpr double most_buffer_bytes = 1 << 30;

bool is_large(const Point& point) {
    auto* const buffer_bytes = probe_of(point).buffer_bytes;
    return (buffer_bytes ? buffer_bytes(point) : static_cast<double>(point.size_bytes)) >
           most_buffer_bytes;
}

/// One probe on one set of ranks, whatever the size and count.
bool alike(Point one, const Point& other) {
    one.size_bytes = other.size_bytes;
    one.count = other.count;
    return one == other;
}

} // namespace

CalibrateOptions rough_calibration(double budget_s) {
    CalibrateOptions options;
    options.goal.exactly = 3;
    options.goal.agreement = 0.03;
    options.goal.most = 9;
    options.budget_s = budget_s;
    options.rough = true;
    return options;
}

Calibrate::Calibrate(Campaign& store, std::vector<Point> plan, CalibrateOptions options)
    : store_(store), plan_(std::move(plan)), options_(std::move(options)) {}

void Calibrate::add(const Point& point, std::span<const PointSamples> stored) {
    PointProgress progress;
    progress.point = point;
    for (const auto& there : stored)
        if (there.point == point)
            progress.times_s = there.series().times_s;
    progress.judge(options_.goal);
    if (is_large(point))
        progress.why = Why::large;
    points_.push_back(std::move(progress));
}

bool Calibrate::may_add(const Point& point) const {
    const auto known = [&](const PointProgress& one) { return one.point == point; };
    const auto like = [&](const Point& planned) { return alike(planned, point); };
    const auto same_size = [&](const Point& planned) {
        return planned.probe == point.probe && planned.size_bytes == point.size_bytes;
    };
    return std::ranges::none_of(points_, known) && std::ranges::any_of(plan_, like) &&
           (options_.goal.refine || std::ranges::any_of(plan_, same_size));
}

Status Calibrate::leave_out(PointProgress& progress) const {
    auto* const needless = probe_of(progress.point).needless;
    if (!options_.rough || needless == nullptr)
        return Done{};
    ALLTOLD_TRY(stored, store_.points());
    if (needless(progress.point, *stored))
        progress.why = Why::needless;
    return Done{};
}

Status Calibrate::take_stock() {
    ALLTOLD_TRY(stored, store_.points());
    for (const auto& point : plan_)
        add(point, *stored);
    // Points that an earlier session added to the plan.
    for (const auto& there : *stored)
        if (may_add(there.point) && (probe_of(there.point).refine != nullptr ||
                                     probe_of(there.point).refine_rough != nullptr))
            add(there.point, *stored);
    if (options_.rough)
        stage_ = kinds().size();
    return Done{};
}

bool Calibrate::refine() {
    bool more = false;
    for (const auto& probe : probes()) {
        auto* const refine = options_.rough ? probe.refine_rough : probe.refine;
        if (refine == nullptr || (!kind_.empty() && probe.kind != kind_))
            continue;
        std::vector<PointProgress> known;
        for (const auto& one : points_)
            if (one.point.probe == probe.name)
                known.push_back(one);
        for (const auto& point : refine(known))
            if (may_add(point)) {
                add(point, {});
                more = true;
            }
    }
    return more;
}

double Calibrate::end_of_stage(double now_s) const {
    const double end_s = *started_s_ + options_.budget_s;
    if (stage_ >= kinds().size())
        return end_s;
    double weights = 0;
    for (const auto& other : kinds().subspan(stage_))
        if (!shuffled(points_, other.name, 0, 0).empty())
            weights += other.weight;
    const double share = weights > 0 ? std::min(1., kinds()[stage_].weight / weights) : 0;
    return now_s + (end_s - now_s) * share;
}

std::vector<std::size_t> Calibrate::order_of_pass() {
    if (!options_.rough)
        return shuffled(points_, kind_, options_.seed, pass_++);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points_.size(); ++i)
        if (points_[i].why == Why::active)
            order.push_back(i);
    return order;
}

bool Calibrate::begin_pass(double now_s) {
    if (stage_begun_ && !((refine() || any_measured_) && now_s < until_s_)) {
        stage_begun_ = false;
        ++stage_;
    }
    if (stage_ > kinds().size())
        return false;
    if (!stage_begun_) {
        stage_begun_ = true;
        kind_ = stage_ < kinds().size() ? kinds()[stage_].name : "";
        until_s_ = end_of_stage(now_s);
    }
    any_measured_ = false;
    place_ = 0;
    order_ = order_of_pass();
    return true;
}

Result<std::optional<Measurement>> Calibrate::next(double now_s) {
    if (!started_s_) {
        started_s_ = now_s;
        ALLTOLD_TRY_DONE(take_stock());
    }
    for (;;) {
        for (; place_ < order_.size(); ++place_)
            if (auto needless = leave_out(points_[order_[place_]]); !needless)
                return needless.error();
            else if (auto asked = measurement_of(order_[place_], order_.size() - place_, now_s)) {
                current_ = order_[place_++];
                any_measured_ = true;
                return asked;
            }
        if (!begin_pass(now_s))
            return std::optional<Measurement>();
    }
}

double Calibrate::repetition_s(const PointProgress& progress) const {
    const double sample_s = expected_s(progress, points_);
    const auto& probe = progress.point.probe;
    const bool loops = CollectiveProbe::parse(probe) &&
                       start_mode_of(probe, options_.start_mode) == StartMode::loop;
    return loops ? calls_of_loop(sample_s, progress.point.n()) * sample_s : sample_s;
}

std::optional<Measurement> Calibrate::measurement_of(std::size_t index, std::size_t left_in_pass,
                                                     double now_s) const {
    const auto& progress = points_[index];
    const double left_s = until_s_ - now_s;
    // The warm-up and one repetition at least.
    if (progress.why != Why::active || left_s <= 0 || 2 * repetition_s(progress) > left_s)
        return std::nullopt;
    const double share = options_.rough ? 1. / 3 : 1 / static_cast<double>(left_in_pass);
    return Measurement{.point = progress.point,
                       .repetitions = progress.wanted(options_.goal),
                       .limit_s = left_s * share,
                       .start_mode = start_mode_of(progress.point.probe, options_.start_mode),
                       .warm = probe_of(progress.point).warm};
}

Status Calibrate::observe(const Measurement& measurement, const Observation& observation) {
    auto& progress = points_[current_];
    if (!observation.of && observation.warm_up)
        progress.warmup_s = observation.value;
    else if (!observation.of)
        progress.times_s.push_back(observation.value);
    else if (!observation.warm_up)
        progress.add_derived(*observation.of, observation.value);
    ++samples_;
    if (options_.on_sample)
        options_.on_sample(observation.of.value_or(measurement.point), observation);
    return Done{};
}

void Calibrate::finished(const Measurement&) {
    points_[current_].judge(options_.goal);
}

Status Calibrate::ended(const EngineStatus& status, double now_s) {
    elapsed_s_ = now_s - started_s_.value_or(now_s);
    for (const auto& progress : points_) {
        const auto why = progress.why == Why::active && status.interrupted
                             ? std::string("interrupted by a signal")
                             : describe(progress.why, options_.goal);
        ALLTOLD_TRY_DONE(
            store_.note(fmt::format("{}: stopped after {} repetitions: {}",
                                    describe(progress.point), progress.times_s.size(), why)));
    }
    return store_.note(status.clocks.text());
}

std::string Calibrate::progress(const Measurement& measurement, double now_s) const {
    int done = 0;
    double needed_s = 0;
    for (const auto& other : points_)
        if (other.why == Why::active)
            needed_s += repetition_s(other) * (1 + other.wanted(options_.goal));
        else
            ++done;
    return fmt::format(
        "measure: {} of {} points done, {} samples, {:.0f} s left, at {}", done, points_.size(),
        samples_, std::min(*started_s_ + options_.budget_s - now_s, needed_s) + options_.reserved_s,
        describe(measurement.point));
}

} // namespace alltold::campaign

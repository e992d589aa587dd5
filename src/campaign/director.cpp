// SPDX-License-Identifier: BSD-3-Clause
// The campaign's loop on rank 0.
#include "campaign/director.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "campaign/plan.hpp"
#include "campaign/timed.hpp"
#include "core/units.hpp"

namespace alltold::measure {
namespace {

/// A point that needs larger buffers than this on a rank is left out.
constexpr double most_buffer_bytes = 1 << 30;

bool is_large(const Point& point) {
    auto* const buffer_bytes = probe_of(point).buffer_bytes;
    return (buffer_bytes ? buffer_bytes(point) : static_cast<double>(point.size_bytes)) >
           most_buffer_bytes;
}

/// The same ranks measured by the same probe, whatever the size and count.
bool alike(Point one, const Point& other) {
    one.size_bytes = other.size_bytes;
    one.count = other.count;
    return one == other;
}

} // namespace

Director::Director(Team& team, Campaign& campaign, const Goal& goal, StartMode start_mode,
                   double budget_s, ClockQuality first_comparison, OnSample on_sample,
                   const Watchdog& watchdog)
    : team_(team), campaign_(campaign), goal_(goal), start_mode_(start_mode), budget_s_(budget_s),
      on_sample_(std::move(on_sample)), conductor_(team, campaign, watchdog, first_comparison),
      started_s_(now_s()), until_s_(started_s_) {}

void Director::add(const Point& point, int like, std::span<const PointSamples> stored) {
    Pace pace;
    pace.point = point;
    pace.like = like;
    for (const auto& there : stored)
        if (there.point == point)
            pace.times_s = there.series().times_s;
    pace.judge(goal_);
    if (is_large(point))
        pace.why = Why::large;
    outcome_.paces.push_back(std::move(pace));
}

int Director::planned_like(const Point& point) const {
    const auto& plan = team_.plan();
    const auto found = std::find_if(plan.begin(), plan.end(),
                                    [&](const Point& planned) { return alike(planned, point); });
    return found == plan.end() ? -1 : static_cast<int>(found - plan.begin());
}

bool Director::knows(const Point& point) const {
    return std::any_of(outcome_.paces.begin(), outcome_.paces.end(),
                       [&](const Pace& pace) { return pace.point == point; });
}

bool Director::may_add(const Point& point) const {
    const auto& plan = team_.plan();
    return !knows(point) &&
           (goal_.refine || std::any_of(plan.begin(), plan.end(), [&](const Point& planned) {
                return planned.probe == point.probe && planned.size_bytes == point.size_bytes;
            }));
}

Status Director::take_stock() {
    const auto stored = campaign_.points();
    if (!stored)
        return stored.error();
    for (std::size_t i = 0; i < team_.plan().size(); ++i)
        add(team_.plan()[i], static_cast<int>(i), *stored);
    // What an earlier session added to the plan.
    for (const auto& there : *stored)
        if (const int like = planned_like(there.point);
            like >= 0 && probe_of(there.point).refine != nullptr && may_add(there.point))
            add(there.point, like, *stored);
    return Done{};
}

bool Director::refine(std::string_view kind) {
    bool more = false;
    for (const auto& probe : probes()) {
        if (probe.refine == nullptr || (!kind.empty() && probe.kind != kind))
            continue;
        std::vector<Pace> known;
        for (const auto& pace : outcome_.paces)
            if (pace.point.probe == probe.name)
                known.push_back(pace);
        for (const auto& point : probe.refine(known))
            if (const int like = planned_like(point); like >= 0 && may_add(point)) {
                add(point, like, {});
                more = true;
            }
    }
    return more;
}

Result<Outcome> Director::run(std::uint64_t seed) {
    if (auto stock = take_stock(); !stock)
        return stock.error();
    for (const auto& kind : kinds())
        if (auto measured = measure(kind.name, end_of(kind), seed); !measured)
            return measured.error();
    if (auto measured = measure("", started_s_ + budget_s_, seed); !measured)
        return measured.error();
    outcome_.elapsed_s = now_s() - started_s_;
    if (auto reported = report_stops(); !reported)
        return reported.error();
    return outcome_;
}

double Director::end_of(const Kind& kind) const {
    double weights = 0;
    for (const auto& other : kinds())
        if (&other >= &kind && !shuffled(outcome_.paces, other.name, 0, 0).empty())
            weights += other.weight;
    const double left_s = started_s_ + budget_s_ - now_s();
    return now_s() + left_s * (weights > 0 ? std::min(1., kind.weight / weights) : 0);
}

Status Director::measure(std::string_view kind, double until_s, std::uint64_t seed) {
    until_s_ = until_s;
    for (bool more = true; more && !outcome_.interrupted;) {
        const auto passed = pass_over(kind, seed);
        if (!passed)
            return passed.error();
        more = (refine(kind) || *passed) && left_s() > 0;
    }
    return Done{};
}

Result<bool> Director::pass_over(std::string_view kind, std::uint64_t seed) {
    bool visited_any = false;
    const auto order = shuffled(outcome_.paces, kind, seed, pass_++);
    for (std::size_t i = 0; i < order.size() && !outcome_.interrupted; ++i) {
        if (auto together = conductor_.between_visits(); !together)
            return together.error();
        static_cast<Conduct&>(outcome_) = conductor_.conduct();
        if (outcome_.interrupted)
            break;
        const auto visited = visit(order[i], order.size() - i);
        if (!visited)
            return visited.error();
        visited_any = visited_any || *visited;
    }
    return visited_any;
}

Result<bool> Director::visit(std::size_t index, std::size_t left_in_pass) {
    auto& pace = outcome_.paces[index];
    const double expected = expected_s(pace, outcome_.paces);
    // The warm-up and one repetition at least.
    if (left_s() <= 0 || 2 * expected > left_s())
        return false;
    show_progress(pace);
    Command command{Command::What::visit, pace.like, pace.point.size_bytes, pace.point.count};
    command.repetitions = pace.wanted(goal_);
    command.start_mode = start_mode_;
    command.share_s = left_s() / static_cast<double>(left_in_pass);
    if (auto visited = conductor_.visit(
            command, pace.point,
            [&](double value, bool warm_up) { return keep(pace, value, warm_up); });
        !visited)
        return visited.error();
    static_cast<Conduct&>(outcome_) = conductor_.conduct();
    pace.judge(goal_);
    return true;
}

Status Director::keep(Pace& pace, double time_s, bool warmup) {
    const auto repetition = campaign_.add(pace.point, time_s, warmup);
    if (!repetition)
        return repetition.error();
    if (warmup)
        pace.warmup_s = time_s;
    else
        pace.times_s.push_back(time_s);
    ++outcome_.samples;
    on_sample_(pace.point, Sample{*repetition, time_s, warmup, 0});
    return Done{};
}

Status Director::report_stops() {
    for (const auto& pace : outcome_.paces) {
        const auto why = pace.why == Why::active && outcome_.interrupted
                             ? std::string("interrupted by a signal")
                             : describe(pace.why, goal_);
        if (auto noted =
                campaign_.note(fmt::format("{}: stopped after {} repetitions: {}",
                                           describe(pace.point), pace.times_s.size(), why));
            !noted)
            return noted;
    }
    return campaign_.note(outcome_.clocks.text());
}

void Director::show_progress(const Pace& pace) {
    int done = 0;
    double needed_s = 0;
    for (const auto& other : outcome_.paces)
        if (other.why == Why::active)
            needed_s += expected_s(other, outcome_.paces) * (1 + other.wanted(goal_));
        else
            ++done;
    progress_.show(now_s(), done, static_cast<int>(outcome_.paces.size()), outcome_.samples,
                   std::min(started_s_ + budget_s_ - now_s(), needed_s), describe(pace.point));
}

} // namespace alltold::measure

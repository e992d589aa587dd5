// SPDX-License-Identifier: BSD-3-Clause
// The campaign's loop on rank 0.
#include "measure/director.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.hpp"
#include "measure/alltoall.hpp"
#include "measure/pingpong.hpp"
#include "measure/plan.hpp"
#include "measure/timed.hpp"
#include "measure/warm_up.hpp"
#include "stats/median.hpp"

namespace alltold::measure {
namespace {

constexpr double compare_clocks_every_s = 5;
/// Of the budget, for ping-pongs before the first collective.
constexpr double pingpong_share = 0.4;
/// A start late by less than this share of the repetition's time does it no harm.
constexpr double negligible_share = 0.02;
/// An all-to-all with larger buffers than this on each rank is left out.
constexpr double most_buffer_bytes = 1 << 30;

} // namespace

Director::Director(Team& team, Campaign& campaign, const Goal& goal, double budget_s,
                   ClockQuality first_comparison, OnSample on_sample, const Watchdog& watchdog)
    : team_(team), campaign_(campaign), goal_(goal), budget_s_(budget_s),
      on_sample_(std::move(on_sample)), watchdog_(watchdog), started_s_(now_s()),
      until_s_(started_s_), compared_s_(started_s_), margin_(2 * first_comparison.bound_s) {
    outcome_.clocks = first_comparison;
    latest_likely_s_ = first_comparison.likely_s;
}

Status Director::take_stock() {
    const auto stored = campaign_.points();
    if (!stored)
        return stored.error();
    for (const auto& point : team_.plan()) {
        Pace pace;
        pace.point = point;
        for (const auto& there : *stored)
            if (there.point == point)
                pace.times_s = there.series().times_s;
        pace.judge(goal_);
        if (2. * point.n() * static_cast<double>(point.size_bytes) > most_buffer_bytes)
            pace.why = Why::large;
        outcome_.paces.push_back(std::move(pace));
    }
    return Done{};
}

Result<Outcome> Director::run(std::uint64_t seed) {
    if (auto stock = take_stock(); !stock)
        return stock.error();
    const double end_s = started_s_ + budget_s_;
    const bool both = !shuffled(outcome_.paces, "alltoall", seed, 0).empty();
    const double pingpongs_end_s = both ? started_s_ + pingpong_share * budget_s_ : end_s;
    for (const auto& [probe, until_s] : {std::pair{"pingpong", pingpongs_end_s},
                                         std::pair{"alltoall", end_s}, std::pair{"", end_s}})
        if (auto measured = measure(probe, until_s, seed); !measured)
            return measured.error();
    outcome_.elapsed_s = now_s() - started_s_;
    if (auto reported = report_stops(); !reported)
        return reported.error();
    return outcome_;
}

Status Director::measure(const std::string& probe, double until_s, std::uint64_t seed) {
    until_s_ = until_s;
    for (bool more = true; more && !outcome_.interrupted;) {
        more = false;
        const auto order = shuffled(outcome_.paces, probe, seed, pass_++);
        for (std::size_t i = 0; i < order.size() && !outcome_.interrupted; ++i) {
            if (auto together = keep_clocks_together(); !together)
                return together;
            const auto visited = visit(order[i], order.size() - i);
            if (!visited)
                return visited.error();
            more = more || *visited;
            const auto interrupted = team_.interrupted();
            if (!interrupted)
                return interrupted.error();
            outcome_.interrupted = outcome_.interrupted || *interrupted;
        }
    }
    return Done{};
}

Status Director::keep_clocks_together() {
    if (now_s() - compared_s_ < compare_clocks_every_s)
        return Done{};
    if (auto given = team_.give({Command::What::compare_clocks}); !given)
        return given;
    const auto quality = compare_clocks(team_.control(), team_.everyone(), team_.clock());
    if (!quality)
        return quality.error();
    outcome_.clocks.merge(*quality);
    latest_likely_s_ = quality->likely_s;
    compared_s_ = now_s();
    return Done{};
}

Result<bool> Director::visit(std::size_t index, std::size_t left_in_pass) {
    auto& pace = outcome_.paces[index];
    const double expected = expected_s(pace, outcome_.paces);
    // The warm-up and one repetition at least.
    if (left_s() <= 0 || 2 * expected > left_s())
        return false;
    show_progress(pace);
    watchdog_.feed();
    const Command command{Command::What::visit, static_cast<int>(index), pace.wanted(goal_),
                          left_s() / static_cast<double>(left_in_pass), ExitStatus::done};
    if (auto given = team_.give(command); !given)
        return given.error();
    if (pace.point.probe == "alltoall") {
        if (auto done = visit_alltoall(pace, command); !done)
            return done.error();
    } else {
        const auto half_trips = visit_pingpong(team_, command);
        if (!half_trips)
            return half_trips.error();
        for (const double time_s : half_trips->warm_up_s)
            if (auto kept = keep(pace, time_s, true); !kept)
                return kept.error();
        for (const double time_s : half_trips->times_s)
            if (auto kept = keep(pace, time_s, false); !kept)
                return kept.error();
    }
    pace.judge(goal_);
    return true;
}

Status Director::visit_alltoall(Pace& pace, const Command& command) {
    const auto& tree = team_.visitors(command.point);
    auto repeated = repeat_alltoall(pace, command, tree);
    // Whatever happened here, the others must not be left waiting for the next start.
    if (auto dismissed = dismiss(team_, tree); !dismissed)
        return dismissed;
    return repeated;
}

Status Director::repeat_alltoall(Pace& pace, const Command& command, const Tree& tree) {
    Alltoall alltoall(team_.subset(pace.point), pace.point.size_bytes);
    const double until_s = now_s() + command.share_s;
    int late = 0;
    double worst_late_s = 0;
    WarmUp warm_up;
    for (int taken = 0; taken < command.repetitions;) {
        const auto timed = lead(team_, tree, margin_.now_s(), alltoall);
        if (!timed)
            return timed.error();
        watchdog_.feed();
        margin_.learn(timed->worst.slack_s);
        if (was_late(pace, *timed)) {
            ++late;
            worst_late_s = std::max(worst_late_s, timed->worst.late_by_s);
        } else {
            const bool warming = warm_up.holds(timed->time_s(), now_s() > until_s);
            if (auto kept = keep(pace, timed->time_s(), warming); !kept)
                return kept;
            taken += warming ? 0 : 1;
        }
        if (timed->worst.interrupted || stop_requested()) {
            outcome_.interrupted = true;
            break;
        }
        // One repetition beside the warm-up is taken even where the share does not reach for it.
        if (taken >= 1 && now_s() + timed->time_s() > until_s)
            break;
    }
    return note_late(pace, late, worst_late_s);
}

bool Director::was_late(const Pace& pace, const Timed& timed) {
    auto& punctuality = punctuality_[pace.point.clusters.text()];
    const bool late = punctuality.judge(
        timed.worst.late_by_s, std::max(2 * latest_likely_s_, negligible_share * timed.time_s()));
    outcome_.worst_tolerance_s = std::max(outcome_.worst_tolerance_s, punctuality.tolerance_s());
    return late;
}

Status Director::note_late(const Pace& pace, int late, double worst_s) {
    if (late == 0)
        return Done{};
    outcome_.late += late;
    outcome_.worst_late_s = std::max(outcome_.worst_late_s, worst_s);
    return campaign_.note(fmt::format("{}: {} repetitions invalid, a rank started up to {} after "
                                      "the agreed instant; taken again",
                                      describe(pace.point), late, format_time(worst_s)));
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

// SPDX-License-Identifier: BSD-3-Clause
// Rank 0's part of a campaign: which point next, how often, and every sample into the store.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "campaign/conductor.hpp"
#include "campaign/pacing.hpp"
#include "campaign/progress.hpp"

namespace alltold::measure {

/// Called after a sample's commit.
using OnSample = std::function<void(const Point&, const Sample&)>;

/// How a campaign went.
struct Outcome : Conduct {
    std::vector<Pace> paces; ///< every point of the plan and why it stopped
    int samples = 0;         ///< taken in this session, warm-ups included
    double elapsed_s = 0;
};

/// Measures until every point is done or the budget ends, in passes over all unfinished points,
/// each in another shuffled order: one kind after the other, each of which may take its share of
/// what is left of the budget, then again what is unfinished of all. Probes may ask for more points
/// when theirs are done. Lives on rank 0.
class Director {
  public:
    Director(Team& team, Campaign& campaign, const Goal& goal, StartMode start_mode,
             double budget_s, ClockQuality first_comparison, OnSample on_sample,
             const Watchdog& watchdog);
    /// Takes what the campaign already holds into account, then measures. Leaves the other ranks
    /// waiting for a command. Fails when the store does, or MPI.
    Result<Outcome> run(std::uint64_t seed);

  private:
    Status take_stock();
    /// Adds a point to be measured, with what `stored` has of it.
    void add(const Point& point, int like, std::span<const PointSamples> stored);
    /// The planned point that differs in nothing but size and count, or -1.
    int planned_like(const Point& point) const;
    bool knows(const Point& point) const;
    /// Whether a point beside the plan is new and the goal allows its size.
    bool may_add(const Point& point) const;
    /// Passes over the points of `kind` (all when empty) until `until_s`, and over those that its
    /// probes ask for then.
    Status measure(std::string_view kind, double until_s, std::uint64_t seed);
    /// Whether there was time to visit any point.
    Result<bool> pass_over(std::string_view kind, std::uint64_t seed);
    /// Adds the points that probes of `kind` ask for; whether there are any.
    bool refine(std::string_view kind);
    /// When the stage ends: what is left of the budget is shared with the kinds after it.
    double end_of(const Kind& kind) const;
    /// False when there is no time for the visit.
    Result<bool> visit(std::size_t index, std::size_t left_in_pass);
    Status keep(Pace& pace, double time_s, bool warmup);
    Status report_stops();
    double now_s() const { return conductor_.now_s(); }
    double left_s() const { return until_s_ - now_s(); }
    void show_progress(const Pace& pace);

    Team& team_;
    Campaign& campaign_;
    Goal goal_;
    StartMode start_mode_;
    double budget_s_;
    OnSample on_sample_;
    Conductor conductor_;
    double started_s_;
    double until_s_; ///< when the present stage ends
    int pass_ = 0;
    Progress progress_;
    Outcome outcome_;
};

} // namespace alltold::measure

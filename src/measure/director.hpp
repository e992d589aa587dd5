// SPDX-License-Identifier: BSD-3-Clause
// Rank 0's part of a campaign: which point next, how often, and every sample into the store.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "measure/pacing.hpp"
#include "measure/progress.hpp"
#include "measure/timed.hpp"

namespace alltold::measure {

/// Called after a sample's commit.
using OnSample = std::function<void(const Point&, const Sample&)>;

/// How a campaign went.
struct Outcome {
    std::vector<Pace> paces;      ///< every point of the plan and why it stopped
    int samples = 0;              ///< taken in this session, warm-ups included
    int late = 0;                 ///< repetitions taken again because a rank started late
    double worst_late_s = 0;      ///< the latest of those starts
    double worst_tolerance_s = 0; ///< how late a start had to be let pass at worst
    double elapsed_s = 0;
    ClockQuality clocks; ///< worst of the session
    bool interrupted = false;
};

/// Measures until every point is done or the budget ends, in passes over all unfinished points,
/// each in another shuffled order: first ping-pongs, which may take two fifths of the budget, then
/// collectives, then again what is unfinished of both. A collective that loses packets leaves TCP
/// connections slow for a long while; ping-pongs are to show the network without that. Lives on
/// rank 0.
class Director {
  public:
    Director(Team& team, Campaign& campaign, const Goal& goal, double budget_s,
             ClockQuality first_comparison, OnSample on_sample, const Watchdog& watchdog);
    /// Takes what the campaign already holds into account, then measures. Leaves the other ranks
    /// waiting for a command. Fails when the store does, or MPI.
    Result<Outcome> run(std::uint64_t seed);

  private:
    Status take_stock();
    /// Passes over the points of `probe` (all when empty) until `until_s`.
    Status measure(const std::string& probe, double until_s, std::uint64_t seed);
    /// False when there is no time for the visit.
    Result<bool> visit(std::size_t index, std::size_t left_in_pass);
    Status visit_alltoall(Pace& pace, const Command& command);
    Status repeat_alltoall(Pace& pace, const Command& command, const Tree& tree);
    Status keep(Pace& pace, double time_s, bool warmup);
    bool was_late(const Pace& pace, const Timed& timed);
    Status note_late(const Pace& pace, int late, double worst_s);
    Status keep_clocks_together();
    Status report_stops();
    double now_s() const { return team_.clock().local().now_s(); }
    double left_s() const { return until_s_ - now_s(); }
    void show_progress(const Pace& pace);

    Team& team_;
    Campaign& campaign_;
    Goal goal_;
    double budget_s_;
    OnSample on_sample_;
    const Watchdog& watchdog_;
    double started_s_;
    double until_s_; ///< when the present stage ends
    int pass_ = 0;
    double compared_s_;          ///< when clocks were last compared
    double latest_likely_s_ = 0; ///< how well clocks agreed then
    Margin margin_;
    std::map<std::string, Punctuality> punctuality_; ///< by the text of a point's clusters
    Progress progress_;
    Outcome outcome_;
};

} // namespace alltold::measure

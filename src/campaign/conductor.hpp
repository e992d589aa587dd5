// SPDX-License-Identifier: BSD-3-Clause
// Rank 0's hand on the other ranks of a campaign: visits, and clocks kept together between them.
#pragma once

#include "campaign/probe.hpp"
#include "campaign/starts.hpp"
#include "campaign/timed.hpp"

namespace alltold::measure {

/// What starts and clocks were like in a session.
struct Conduct {
    int late = 0;                 ///< repetitions taken again because a rank started late
    double worst_late_s = 0;      ///< the latest of those starts
    double worst_tolerance_s = 0; ///< how late a start had to be let pass at worst
    ClockQuality clocks;          ///< worst of the session
    bool interrupted = false;     ///< a rank got a signal
};

/// Gives commands to ranks that wait for them. Lives on rank 0. Everything fails as the store or
/// MPI does.
class Conductor {
  public:
    Conductor(Team& team, Campaign& campaign, const Watchdog& watchdog,
              const ClockQuality& first_comparison);

    /// One visit to `point`, which `command` describes; `keep` commits each sample.
    Status visit(const Command& command, const Point& point,
                 const std::function<Status(double value, bool warm_up)>& keep);
    /// Compares clocks where that is five seconds ago, and listens for signals.
    Status between_visits();
    const Conduct& conduct() const { return conduct_; }
    double now_s() const { return team_.clock().local().now_s(); }

  private:
    Status note_late(const Point& point);
    Status compare();

    Team& team_;
    Campaign& campaign_;
    const Watchdog& watchdog_;
    double compared_s_; ///< when clocks were last compared
    Starts starts_;
    Conduct conduct_;
};

} // namespace alltold::measure

// SPDX-License-Identifier: BSD-3-Clause
// Commands, late starts, clocks.
#include "campaign/conductor.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "campaign/plan.hpp"
#include "core/units.hpp"

namespace alltold::measure {
namespace {

constexpr double compare_clocks_every_s = 5;

} // namespace

Conductor::Conductor(Team& team, Campaign& campaign, const Watchdog& watchdog,
                     const ClockQuality& first_comparison)
    : team_(team), campaign_(campaign), watchdog_(watchdog), compared_s_(now_s()),
      starts_(2 * first_comparison.bound_s, first_comparison.likely_s) {
    conduct_.clocks = first_comparison;
}

Status Conductor::visit(const Command& command, const Point& point,
                        const std::function<Status(double value, bool warm_up)>& keep) {
    watchdog_.feed();
    if (auto given = team_.give(command); !given)
        return given;
    Desk desk{keep, starts_};
    Visit here{team_, watchdog_, command, point, &desk};
    if (auto done = probe_of(point).visit(here); !done)
        return done;
    conduct_.interrupted = conduct_.interrupted || desk.interrupted;
    return note_late(point);
}

Status Conductor::between_visits() {
    if (now_s() - compared_s_ >= compare_clocks_every_s)
        if (auto compared = compare(); !compared)
            return compared;
    const auto interrupted = team_.interrupted();
    if (!interrupted)
        return interrupted.error();
    conduct_.interrupted = conduct_.interrupted || *interrupted;
    return Done{};
}

Status Conductor::compare() {
    if (auto given = team_.give({Command::What::compare_clocks}); !given)
        return given;
    const auto quality = compare_clocks(team_.control(), team_.everyone(), team_.clock());
    if (!quality)
        return quality.error();
    conduct_.clocks.merge(*quality);
    starts_.compared(quality->likely_s);
    compared_s_ = now_s();
    return Done{};
}

Status Conductor::note_late(const Point& point) {
    conduct_.worst_tolerance_s = starts_.worst_tolerance_s();
    const auto late = starts_.take_late();
    if (late.count == 0)
        return Done{};
    conduct_.late += late.count;
    conduct_.worst_late_s = std::max(conduct_.worst_late_s, late.worst_s);
    return campaign_.note(fmt::format("{}: {} repetitions invalid, a rank started up to {} after "
                                      "the agreed time; repeated",
                                      describe(point), late.count, format_time(late.worst_s)));
}

} // namespace alltold::measure

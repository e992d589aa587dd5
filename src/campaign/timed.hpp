// SPDX-License-Identifier: BSD-3-Clause
// Times an operation of many ranks: all start at an agreed instant, the last finish counts.
#pragma once

#include <functional>

#include "campaign/start.hpp"
#include "campaign/team.hpp"

namespace alltold::measure {

/// What every rank runs between the agreed instant and its finish.
using Operation = std::function<Status()>;
/// This rank's own reading of the repetition just run, not negative; the largest of all counts.
/// May be empty.
using Reading = std::function<double()>;

/// Root of `tree`: tells its ranks when to start, runs `operation` with them, and returns the worst
/// of all. The repetition's time is its `finish_s` less the instant. Collective with join_in.
struct Timed {
    double instant_s = 0;
    Finish worst;
    double time_s() const { return worst.finish_s - instant_s; }
};
Result<Timed> lead(Team& team, const Tree& tree, double margin_s, const Operation& operation,
                   const Reading& reading = {});
/// Root: tells the ranks of `tree` that no repetition follows.
Status dismiss(Team& team, const Tree& tree);
/// The other ranks: takes part in repetitions until dismissed.
Status join_in(Team& team, const Tree& tree, const Watchdog& watchdog, const Operation& operation,
               const Reading& reading = {});

} // namespace alltold::measure

// SPDX-License-Identifier: BSD-3-Clause
// Odds of choices that were timed, beside what came of them.
#pragma once

#include <vector>

#include "predict/decide/decide.hpp"
#include "regret/judge.hpp"
#include "store/profile.hpp"

namespace alltold::regret {

struct TimedOdds {
    Odds odds;
    double over_library = 0; ///< share by which the choice took longer than the library's own

    bool lost() const { return over_library > Terms{}.worth; }
};

/// The odds of ours that were timed beside the library's own and are expected to gain what
/// is worth it, by a profile's models alone, from the start of the call. None in loops, of which
/// few were timed.
std::vector<TimedOdds> timed_odds(const Profile& profile, const std::vector<TimedCall>& calls);

} // namespace alltold::regret

// SPDX-License-Identifier: BSD-3-Clause
// Times an operation of many ranks: all start at an agreed instant, the last finish counts.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "campaign/engine/ranks.hpp"
#include "campaign/engine/retransmissions.hpp"
#include "campaign/engine/start.hpp"

namespace alltold::campaign {

/// What one rank does in a repetition.
struct Steps {
    std::function<Status()> run; ///< between the agreed instant and its finish
    /// This rank's own reading of the repetition just run, not negative; the largest of all counts.
    std::function<double()> reading = {};
    /// Rank 0 only: values of other points that the repetition gave as well.
    std::function<std::vector<std::pair<Point, double>>()> also = {};
    /// After the finish, untimed: the first wrong byte.
    std::function<std::optional<WrongByte>()> check = {};
    /// Of this rank's host, if this rank is the one that reads it; else null.
    const RetransmissionCounter* retransmissions = nullptr;
};

/// Once all ranks have finished and no repetition follows, each checks its buffers, and rank 0 gets
/// the first wrong byte. Not earlier: checking would take processor time from ranks still working.
/// Collective over the tree; one message up.
Result<Finish> check_all(Ranks& ranks, const Tree& tree, const Steps& steps);

/// Root of `tree`: sends its ranks the instant, runs `steps` with them, and returns the worst of
/// all. The repetition's time is its `finish_s` less the instant. Collective with follow_root.
Result<Timed> repeat_once(Ranks& ranks, const Tree& tree, double margin_s, const Steps& steps);
/// Root: no repetition follows for the ranks of `tree`.
Status end_repetitions(Ranks& ranks, const Tree& tree);
/// The other ranks: takes part in repetitions until the root ends them.
Status follow_root(Ranks& ranks, const Tree& tree, const Watchdog& watchdog, const Steps& steps);

} // namespace alltold::campaign

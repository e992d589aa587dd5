// SPDX-License-Identifier: BSD-3-Clause
// Summarises the rankings of all calls in few rules.
#pragma once

#include <optional>
#include <vector>

#include "network/network.hpp"
#include "predict/rules/rule.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The calls to decide.
struct TableRequest {
    Clusters clusters{{1}};  ///< the network's; calls on each number of its largest are decided
    int most_ranks = 1024;   ///< 2 or more; over several clusters at most as many as they have
    double tolerance = 0.03; ///< by how much a rule may be slower than the ranking's first
    /// Choose the quickest of our algorithms even if the library's own time is not known; the rules
    /// for the most ranks then also cover more.
    bool ours_only = false;
    /// Decide these; empty: those that studies time, and others of which the library's own were
    /// timed.
    std::vector<Collective> collectives = {};
    /// Choose among this library's own algorithms (rank_library) instead of ours.
    std::optional<MpiLibrary> library = {};
    /// Only rules that calls on these follow; empty: all.
    std::vector<Clusters> calls = {};
    /// What the network's calls follow. All-to-alls then also get rules for calls from that start,
    /// and from the second one (rules_of_starts); empty: none.
    std::optional<StartMode> start_mode = {};
    /// Judge calls from the usual start alone: one of ours is chosen only for a gain of 25 %, and
    /// for blocks of more than one packet.
    bool one_start = false;
};

/// The choice as a rule states it, with few distinct values: 1/2, 1, 2, 4, ... packets per segment
/// and windows of 1, 2, 4, ..., rounded down since buffers limit them.
Choice rounded(const Network& network, Choice choice);

/// Rules for all sizes and numbers of ranks, decided by rank() at n and m of about powers of two (n
/// also a quarter above, which stands for all that follow the power of two, where calls of the
/// library were measured, and over several clusters each up to 16 hosts), and at the sizes where
/// the choice changes. They are for as many ranks per host as the network's have. One of our
/// algorithms is chosen only if that is safe (is_safe), near measured calls of the library
/// (library_known), or likely quicker next to a size at which it was measured to be. Over several
/// clusters all that a rule covers is judged together: n spread over them as their hosts are, as
/// evenly and as unevenly as these allow. Broadcasts, scatters, gathers and all-to-alls on one rank
/// per host also get rules for one spread (WinnerGrid), all-to-alls for one start. A rule states no
/// windows that `resolve` finds at each call; its segment size is half a packet or a power of two
/// in packets, unless the call was measured with another.
std::vector<Rule> decision_table(const Network& network, const TableRequest& request);

} // namespace alltold

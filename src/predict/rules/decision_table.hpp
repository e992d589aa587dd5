// SPDX-License-Identifier: BSD-3-Clause
// Ranges of sizes for each layout, with the choice that runs there.
#pragma once

#include "network/network.hpp"
#include "predict/decide/decide.hpp"
#include "predict/rules/rule.hpp"

namespace alltold {

/// The calls to decide.
struct TableRequest {
    Clusters clusters{{1}}; ///< the network's; calls on each number of its largest are decided
    int most_ranks = 1024;  ///< 2 or more; over several clusters at most as many as they have
    StartMode start_mode = StartMode::silence; ///< what the network's calls follow
    Terms terms = {};
    /// Decide these; empty: those that studies time, and others of which the library's own were
    /// timed.
    std::vector<Collective> collectives = {};
    /// Choose among this library's own algorithms instead of ours.
    std::optional<MpiLibrary> library = {};
    /// Only rules that calls on these follow; empty: all.
    std::vector<Clusters> calls = {};
    /// Rules with trials where no call of the library was measured near: for other numbers of ranks
    /// per host, more hosts, larger messages, and collectives that were not measured.
    bool trials = false;
};

/// For each collective and layout, ranges of sizes with what runs there. A layout is a number of
/// ranks in one cluster; in several it is a number of ranks on any spread over them, judged on one
/// like the hosts, an even and an uneven one together, and, with one rank per host, each spread by
/// itself. Calls are decided (Decider) at about powers of two in size and ranks. A choice stays for
/// larger sizes as long as it may run there and no other is worth changing to (Terms); where ranges
/// meet, the border is found to an eighth of a power of two. Where one start of two has a winner of
/// its own, the range names it as well. Rules are for as many ranks per host as the network's have.
/// Trials (Candidate::trial) are predicted at every third power of two, for hosts and ranks per
/// host in ranges by doubling.
std::vector<Rule> decision_table(const Network& network, const TableRequest& request);

} // namespace alltold

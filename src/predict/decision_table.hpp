// SPDX-License-Identifier: BSD-3-Clause
// Summarises the rankings of all calls in few rules.
#pragma once

#include <vector>

#include "network/network.hpp"
#include "predict/rule.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The calls to decide.
struct TableRequest {
    Clusters clusters{{1}}; ///< the network's; with several, calls over all of them are decided too
    int most_ranks = 1024;  ///< the rules for this many also cover more
    double tolerance = 0.03; ///< by how much a rule may be slower than the ranking's first
};

/// Rules for all sizes and numbers of ranks, decided by rank() at n and m of about powers of two
/// (n also a quarter above), and at the sizes where the choice changes. Over several clusters n is
/// spread over them as their hosts are. A rule's segment size is a power of two in whole packets.
/// Calls that cannot be ranked get no rule.
std::vector<Rule> decision_table(const Network& network, const TableRequest& request);

/// `clusters` for n ranks: spread in proportion to their sizes, at least one each; n is at least
/// their number.
Clusters spread(const Clusters& clusters, int n);

} // namespace alltold

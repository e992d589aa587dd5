// SPDX-License-Identifier: BSD-3-Clause
// The ways in which the oracle runs an algorithm, read from the registry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oracle {

/// One algorithm with parameters for one collective.
struct Choice {
    std::string text;       ///< "bcast.chain_segmented segment=1000"
    std::string collective; ///< "bcast"
    bool clustered = false; ///< the communicator has clusters
    bool on_hosts = false;  ///< some of its ranks share a host; else none do
    bool needed = false;    ///< it runs there alone
    bool reduces = false;
    bool neighbours = false; ///< ranks of a cluster or host are consecutive
};

/// Every collective that the algorithm carries out, with all parameters that it takes and, where
/// some may be left out, with those alone that it needs, and with the first of these on hosts of
/// several ranks. Reductions also where ranks keep their order, which some operators need. Empty
/// when there is no such algorithm.
std::vector<Choice> choices_of(std::string_view name);

} // namespace oracle

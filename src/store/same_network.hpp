// SPDX-License-Identifier: BSD-3-Clause
// Whether two sets of provenance are one network, and what differs when they are not.
#pragma once

#include "store/campaign.hpp"

namespace alltold {

/// Names of the two in the difference.
struct ComparedNetworks {
    const char* there = "the campaign";
    const char* here = "what is to be added";
};

/// The difference that prevents `here` from adding to a store measured at `there`, as one phrase:
/// hosts, clusters, MPI library, or start mode of collectives; "" if none. Kernel and clock method
/// may change between sessions.
std::string network_difference(const Provenance& there, const Provenance& here,
                               const ComparedNetworks& called = {});

/// How clock_method begins where other benchmarks' output was imported.
inline constexpr std::string_view imported_from = "imported from ";
/// The MPI library where nothing says it.
inline constexpr std::string_view unknown_library = "not known";
bool is_imported(const Provenance& there);
/// The network of a store measured at `there` once `here` adds to it; fails with what differs. If
/// both were imported, other numbers of ranks are parts of one network, which has the hosts and
/// ranks of either, and an MPI library that is not known may be the other's.
Result<Provenance> network_of_both(const Provenance& there, const Provenance& here);
/// Names of the hosts of an imported campaign, by rank: its files do not say them.
std::vector<std::string> imported_hosts(const Clusters& clusters);

} // namespace alltold

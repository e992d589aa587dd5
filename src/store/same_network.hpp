// SPDX-License-Identifier: BSD-3-Clause
// Whether two sets of provenance are one network, and what differs when they are not.
#pragma once

#include <string>

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

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Things that a study's budget was too small to learn.
#pragma once

#include "network/network.hpp"

namespace alltold::campaign {

/// Everything a study of `collectives` needs to know about its hosts and `network`, which is fitted
/// to `measured`, lacks. Of the links only what was not measured to the end: a buffer that the
/// hosts cannot fill, say, stays unknown with any budget.
std::vector<std::string> unknown_of(const Network& network, const Clusters& hosts,
                                    std::span<const PointSamples> measured,
                                    std::span<const Collective> collectives = studied_collectives);

} // namespace alltold::campaign

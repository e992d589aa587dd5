// SPDX-License-Identifier: BSD-3-Clause
// The library's all-to-all by the model of congestion: on one cluster or several.
#pragma once

#include "network/network.hpp"

namespace alltold {

/// An all-to-all over all ranks of `clusters`, m >= 0 bytes per pair, as the model sees it: W is
/// the larger of NIC bound and, where the backbone was ever seen to be full, WAN bound. Fails where
/// no rate of a port is known, and for several clusters where nothing is known of a backbone.
Result<CongestedCall> congested_call(const Network& network, const Clusters& clusters,
                                     double size_bytes);

/// The time of a single call, including the uncertainty of the parameters. If M's interval leaves
/// open whether such calls are slowed down, they are not. `network` has a CongestionFit. Fails as
/// congested_call does.
Result<CongestedTime> congested_time(const Network& network, const Clusters& clusters,
                                     double size_bytes);

/// Its median, and the middle 95 % of it, wider where M is in doubt.
Result<Estimate> congested_estimate(const Network& network, const Clusters& clusters,
                                    double size_bytes);

/// Caveats of that prediction.
std::vector<std::string> congestion_caveats(const Network& network, const Clusters& clusters,
                                            double size_bytes);

} // namespace alltold

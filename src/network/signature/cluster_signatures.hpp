// SPDX-License-Identifier: BSD-3-Clause
// One contention signature for each cluster: SMT's C1, C2 and any further ones.
#pragma once

#include <map>

#include "network/network.hpp"

namespace alltold {

/// The library's all-to-all within clusters other than the first, whose own is Network::alltoall:
/// by the cluster's number, 1 or more, those that were fitted. T_C1 and T_C2 of SMT's equations 6
/// and 7 each have gamma, delta, M, alpha and beta of their own.
struct ClusterSignatures {
    std::map<int, SignatureFit> of = {};
};

/// The signature of a cluster. A cluster without one of its own has the first one's, as all have
/// in profiles that know no other. `network.alltoall` must be there.
inline const SignatureFit& signature_in(const Network& network, int cluster) {
    if (const auto* others = network.find<ClusterSignatures>())
        if (const auto own = others->of.find(cluster); own != others->of.end())
            return own->second;
    return *network.alltoall;
}

} // namespace alltold

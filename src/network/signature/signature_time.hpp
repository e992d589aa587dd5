// SPDX-License-Identifier: BSD-3-Clause
// The library's all-to-all by its contention signature.
#pragma once

#include "network/cost_model.hpp"

namespace alltold {

/// Names the signature for a network without one; empty for others.
std::string lacks_signature(const Network& network);

/// SMT07 equation 5 for n >= 1 processes of the cluster, by its signature_in, and m >= 0 bytes per
/// pair. The interval is of gamma and delta, of the reference run's spread about its own fit, and
/// of delta where M leaves open whether messages of this size pay it. `network.alltoall` must be
/// there, here and below.
Estimate signature_time(const Network& network, int cluster, int n, double size_bytes);

/// Names the lack of a network in which not every signature comes with these parameters.
std::string lacks_parameters(const Network& network, const ContentionModel& model);
template <const CostModel& row>
std::string lacks_contention(const Network& network) {
    return lacks_parameters(network, *row.contention);
}

/// The time by a row's ContentionModel with the signature's alpha, beta and `papers`, without an
/// interval.
template <const CostModel& row>
Estimate contention_time(const Network& network, int cluster, int n, double size_bytes) {
    const auto& fit = network.signature_in(cluster);
    return Estimate::exact(row.contention->time_s(
        fit.papers, fit.network, network.plogp ? &*network.plogp : nullptr, n, size_bytes));
}

/// Caveats of that prediction within the clusters: those of each signature, for the largest cluster
/// that uses it. On several clusters also which of them use the first one's signature because they
/// have none.
std::vector<std::string> signature_caveats(const Network& network, const Clusters& clusters,
                                           double size_bytes);

} // namespace alltold

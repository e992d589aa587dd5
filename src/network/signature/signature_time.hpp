// SPDX-License-Identifier: BSD-3-Clause
// The library's all-to-all by its contention signature.
#pragma once

#include <string>
#include <vector>

#include "core/estimate.hpp"
#include "network/network.hpp"
#include "network/signature/cluster_signatures.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// What a network without a signature lacks.
std::string lacks_signature(const Network& network);

/// SMT07 equation 5 for n >= 1 processes of the cluster, by its signature_in, and m >= 0 bytes per
/// pair. The interval is of gamma and delta, of the reference run's spread about its own fit, and
/// of delta where M leaves open whether messages of this size pay it. `network.alltoall` must be
/// there, here and below.
Estimate signature_time(const Network& network, int cluster, int n, double size_bytes);

/// What a network lacks whose signature comes without the papers' other models.
std::string lacks_paper_models(const Network& network);

/// An equation of theirs with what PaperModels holds for it, without an interval.
template <auto equation, auto fitted>
Estimate paper_model_time(const Network& network, int cluster, int n, double size_bytes) {
    const auto& fit = signature_in(network, cluster);
    return Estimate::exact(equation(fit.network, (*fit.papers).*fitted, n, size_bytes));
}

/// Caveats of that prediction within the clusters: those of each signature, for the largest cluster
/// that uses it. On several clusters also which of them use the first one's signature because they
/// have none.
std::vector<std::string> signature_caveats(const Network& network, const Clusters& clusters,
                                           double size_bytes);

} // namespace alltold

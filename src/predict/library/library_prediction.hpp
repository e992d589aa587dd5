// SPDX-License-Identifier: BSD-3-Clause
// How long the MPI library's own collectives will take, its all-to-all on one cluster or several
// too.
#pragma once

#include "network/cost_model.hpp"
#include "predict/call_time.hpp"

namespace alltold {

/// Predicts an all-to-all over all ranks of `clusters`, m >= 0 bytes per pair. On one cluster by
/// `model`; on several by SMT equation 6 with `model` within each; by a model of the whole
/// (CostModel::library) on clusters for which it has one; all of them are multiplied by the
/// half_duplex_factor of the network's start. Fails (status `bad_input`) when the network lacks
/// what the model needs.
Result<CallTime> predict_alltoall(const Network& network, const Clusters& clusters,
                                  double size_bytes, const CostModel& model);

class SimulationCache;

/// Predicts the library's own choice of algorithm for m = size_bytes: the baseline corrected by
/// measured calls (Correction) if there are any on one cluster, or on several, as `clusters` are,
/// with as many ranks per host; else, with one rank per host, an all-to-all by the preferred model
/// of the library's all-to-all; else, with a caveat, what the library is known to run by default,
/// by the preferred model and as wide as models are usually wrong. Bounds are 0 if no rate is
/// known. Fails (status `no`) where nothing is known of this collective's time.
Result<CallTime> predict_library(const Network& network, Collective collective,
                                 const Clusters& clusters, std::uint64_t size_bytes,
                                 SimulationCache* simulations = nullptr);

/// Whether measured calls say how long the library takes: some are on as many clusters with as many
/// ranks per host, at sizes and numbers of ranks that reach within a factor of two of this call's.
bool library_known(const Network& network, Collective collective, const Clusters& clusters,
                   std::uint64_t size_bytes);

/// What a baseline says of a call of the library. Fails as the model does.
Result<ModelTime> baseline_time(const Network& network, const Baseline& baseline,
                                Collective collective, const Clusters& clusters,
                                std::uint64_t size_bytes, SimulationCache* simulations = nullptr);

/// The baselines to try for the library's `collective`: ours without clusters of their own on the
/// model that `network` prefers. An equation of the library's all-to-all would be judged on the
/// calls that it was fitted to, so only the uncongested one takes part.
std::vector<Baseline> library_baselines(const Network& network, Collective collective,
                                        const Clusters& clusters);

} // namespace alltold

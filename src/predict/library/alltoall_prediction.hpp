// SPDX-License-Identifier: BSD-3-Clause
// How long the library's all-to-all will take, on one cluster or several.
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

} // namespace alltold

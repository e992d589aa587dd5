// SPDX-License-Identifier: BSD-3-Clause
// How long one of our algorithms will take: closed form or simulator.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "network/cost_model.hpp"
#include "network/network.hpp"
#include "predict/algorithm_timer.hpp"
#include "predict/prediction.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

struct AlgorithmPrediction {
    const Algorithm* algorithm = nullptr;
    std::uint64_t segment_bytes = 0; ///< given or found; 0 where the algorithm takes none
    int window = 0;                  ///< given or found; 0: no limit
    int inter_cluster_window = 0;    ///< given or found; 0: no limit
    Prediction prediction; ///< bound_s and nic_bound_s are both the larger of NIC and WAN bound, 0
                           ///< where no rate is known
    std::string method;    ///< "BM04 table 1", "our schedule", "SMT equation 7", "simulated";
                           ///< "simulated; corrected by 37 measurements"
};

/// Predicts one call of `algorithm` on `clusters` under `model`, corrected by what was measured of
/// its collective where `network` knows some beside this model (Effort::corrected). What `parameters` leave open is found as `resolve` says, by searches under `model`.
/// Under pLogP by the closed form where it is exact, else simulated; under other models simulated.
/// Fails as `accepts` and `check_model` do, and (status `no`) where the simulation would be of more
/// messages than `effort` allows, unless it asks for estimates.
Result<AlgorithmPrediction> predict_algorithm(const Network& network, const Algorithm& algorithm,
                                              const Specification& specification,
                                              const Clusters& clusters, Parameters parameters,
                                              const CostModel& model, Effort effort = {});

/// The same with nothing left open: a window of 0 means no limit. For calls that were measured.
Result<AlgorithmPrediction> predict_as_given(const Network& network, const Algorithm& algorithm,
                                             const Specification& specification,
                                             const Clusters& clusters, Parameters parameters,
                                             const CostModel& model, Effort effort = {});

} // namespace alltold

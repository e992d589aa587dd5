// SPDX-License-Identifier: BSD-3-Clause
// How long one of our algorithms will take: closed form or simulator.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "network/cost_model.hpp"
#include "network/network.hpp"
#include "predict/prediction.hpp"
#include "predict/timing/algorithm_timer.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

struct AlgorithmPrediction {
    const Algorithm* algorithm = nullptr;
    std::uint64_t segment_bytes = 0; ///< given or found; 0 where the algorithm takes none
    int window = 0;                  ///< given or found; 0: no limit
    int inter_cluster_window = 0;    ///< given or found; 0: no limit
    Prediction prediction;
    double timeouts_s = 0;   ///< value of AlgorithmTime::timeouts_s
    double timeout_sd = 0;   ///< AlgorithmTime::timeout_sd
    double window_share = 0; ///< AlgorithmTime::window_share
    double fullest = 0;      ///< as AlgorithmTime's
    /// Its correction knows what losses cost, from measured calls of it and others.
    bool loss_measured = false;
    double uncharged_loss_bytes = 0; ///< overflow bytes whose loss adds nothing to the time
    /// "BM04 table 1", "closed form", "SMT equation 7", "simulated", "extrapolated from ...";
    /// "simulated; corrected by 37 measurements"; "measured here" for the library's own.
    std::string method;
};

/// Predicts one call of `algorithm` on `clusters` under `model`. Applies the correction from
/// measurements of its collective if `network` has one for this model (Effort::corrected).
/// `resolve` completes `parameters` by searches under `model`. Uses the closed form under pLogP if
/// it is exact, else the simulator. Fails as `accepts` and `check_model` do, and (status `no`) if
/// the simulation needs more messages than `effort` allows, unless it requests estimates.
Result<AlgorithmPrediction> predict_algorithm(const Network& network, const Algorithm& algorithm,
                                              const Specification& specification,
                                              const Clusters& clusters, Parameters parameters,
                                              const CostModel& model, Effort effort = {});

/// The same with complete parameters: a window of 0 means no limit. For measured calls.
Result<AlgorithmPrediction> predict_as_given(const Network& network, const Algorithm& algorithm,
                                             const Specification& specification,
                                             const Clusters& clusters, Parameters parameters,
                                             const CostModel& model, Effort effort = {});

} // namespace alltold

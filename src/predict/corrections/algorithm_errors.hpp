// SPDX-License-Identifier: BSD-3-Clause
// How well each model predicts the measured calls of alltold's algorithms.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

class SimulationCache;

/// The errors of models on the same measured calls of one algorithm, uncorrected. No model was
/// fitted to these: parameters come from single messages, floods and the library's all-to-all.
struct AlgorithmErrors {
    std::string algorithm;
    bool several_clusters = false;  ///< the calls were measured on several clusters, or on one
    int calls = 0;                  ///< one or more
    std::vector<ModelError> models; ///< those that can time all of the calls, best first
};

/// Of each algorithm that two models or more can time, by collective and name, one cluster before
/// several. Calls are those from the usual start. Notes in `fitting`, whose models and corrections
/// are fitted, which models are not among them, and why. `simulations` are of its network.
std::vector<AlgorithmErrors> errors_of_algorithms(Fitting& fitting, SimulationCache& simulations);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Predictions of algorithms as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "predict/algorithm_prediction.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// What is predicted of one call.
struct AlgorithmPoint {
    Clusters clusters;
    std::uint64_t size_bytes = 0; ///< per block
    AlgorithmPrediction predicted;
};

/// One row a point, in the order given, then each caveat once.
std::string algorithm_table(const std::vector<AlgorithmPoint>& points);

/// An array, one object a point; times in seconds; segment_bytes, window and bound_s are null where
/// there are none.
nlohmann::ordered_json algorithms_to_json(const std::vector<AlgorithmPoint>& points);

} // namespace alltold

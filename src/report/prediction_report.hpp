// SPDX-License-Identifier: BSD-3-Clause
// Predictions as a table and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "predict/call_time.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// A prediction and its call.
struct PredictedPoint {
    Clusters clusters;
    std::uint64_t size_bytes = 0; ///< m
    CallTime prediction;
};

/// One row per point, then each caveat once; `interval` heads the column of intervals.
std::string prediction_table(const std::vector<PredictedPoint>& points, const char* interval);

/// An array with one object per point; times in seconds.
nlohmann::ordered_json predictions_to_json(const std::vector<PredictedPoint>& points);

} // namespace alltold

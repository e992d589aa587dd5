// SPDX-License-Identifier: BSD-3-Clause
// Predictions of algorithms as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "predict/call_time.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// The prediction for one call: without an algorithm, of the MPI library's own choice.
struct AlgorithmPoint {
    Clusters clusters;
    std::uint64_t size_bytes = 0; ///< per block
    CallTime predicted;
};

/// Whether all points are of the same ranks and size.
bool is_one_call(const std::vector<AlgorithmPoint>& points);

/// One row per point, in the given order, under the call where there are several, then each caveat
/// once.
std::string algorithm_table(const std::vector<AlgorithmPoint>& points);

/// An array with one object per point; times in seconds; segment_bytes, window and bound_s may be
/// null.
nlohmann::ordered_json algorithms_to_json(const std::vector<AlgorithmPoint>& points);

} // namespace alltold

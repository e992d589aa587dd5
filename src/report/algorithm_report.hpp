// SPDX-License-Identifier: BSD-3-Clause
// Predictions of algorithms, and rankings, as tables and as JSON.
#pragma once

#include "predict/choice/rank.hpp"

namespace alltold {

/// The prediction for one call: without an algorithm, of the MPI library's own choice.
struct PredictedCall {
    Clusters clusters;
    std::uint64_t size_bytes = 0; ///< per block
    CallTime predicted;
};

/// Whether all points are of the same ranks and size.
bool is_one_call(const std::vector<PredictedCall>& points);

/// One row per point, in the given order, under the call where there are several, then each caveat
/// once.
std::string algorithm_table(const std::vector<PredictedCall>& points);

/// An array with one object per point; times in seconds; segment_bytes, window and bound_s may be
/// null.
nlohmann::ordered_json algorithms_to_json(const std::vector<PredictedCall>& points);

/// One row per candidate, best first, then each caveat of the first three once, then what could not
/// be ranked.
std::string rank_table(const Ranking& ranking);

/// A line for each reason, with the names that share it: "LABEL: NAMES: WHY".
std::string unranked_text(std::string_view label, const std::vector<Unranked>& unranked);

/// {"candidates": [...], "not_ranked": [...]}; times in seconds; unknown values are null.
nlohmann::ordered_json rank_to_json(const Ranking& ranking);

/// One row per point, then each caveat once; `interval` heads the column of intervals.
std::string prediction_table(const std::vector<PredictedCall>& points, const char* interval);

/// An array with one object per point; times in seconds.
nlohmann::ordered_json predictions_to_json(const std::vector<PredictedCall>& points);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The parts of a profile as JSON: one writer and one reader each; units are in the keys.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "store/json_cursor.hpp"
#include "store/profile.hpp"

namespace alltold {

inline constexpr NumberRange in_seconds{"seconds", 0};
inline constexpr NumberRange in_seconds_per_byte{"seconds per byte", 0, true};
inline constexpr NumberRange in_bytes{"bytes", 0};
inline constexpr NumberRange from_zero{"", 0};
inline constexpr NumberRange from_one{"", 1};

// Readers return what they could read; the first thing wrong is kept by the document.

nlohmann::ordered_json to_json(const Estimate& estimate);
Estimate read_estimate(JsonCursor at, const NumberRange& range);
/// Variance, covariance, variance, under these names.
std::array<double, 3> read_covariance(JsonCursor at, const std::vector<std::string>& names);

nlohmann::ordered_json to_json(const Provenance& where);
Provenance read_provenance(JsonCursor at);

nlohmann::ordered_json to_json(const HockneyFit& fit);
HockneyFit read_hockney(JsonCursor at);

nlohmann::ordered_json to_json(const std::vector<ModelScore>& models);
std::vector<ModelScore> read_models(JsonCursor at);

nlohmann::ordered_json to_json(const CongestionFit& fit);
CongestionFit read_congestion(JsonCursor at);

nlohmann::ordered_json to_json(const SignatureFit& fit);
SignatureFit read_signature(JsonCursor at);

/// Points in order of size, {size_bytes, time_s}, with low_s and high_s where they are not exact.
nlohmann::ordered_json to_json(const SizeCurve& curve);
SizeCurve read_curve(JsonCursor at);
/// Complains about a curve without which nothing can be predicted.
void require_points(JsonCursor at, const SizeCurve& curve);

nlohmann::ordered_json to_json(const PLogP& plogp);
PLogP read_plogp(JsonCursor at);

nlohmann::ordered_json to_json(const ClusterModel& cluster);
ClusterModel read_cluster_model(JsonCursor at);

nlohmann::ordered_json to_json(const LinkNetwork& links);
LinkNetwork read_link_network(JsonCursor at);

nlohmann::ordered_json to_json(const Correction& correction);
/// Nothing where the document is wrong, here or before.
std::optional<Correction> read_correction(JsonCursor at);

nlohmann::ordered_json to_json(const std::vector<LibraryTime>& library);
std::vector<LibraryTime> read_library_times(JsonCursor at);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// What the JSON of several models has in common: one writer and one reader each; units are in the
// keys.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/estimate.hpp"
#include "network/json/json_cursor.hpp"
#include "network/signature/signature_fit.hpp"
#include "network/size_curve.hpp"

namespace alltold {

// Readers return what they could read; the first thing wrong is kept by the document.

/// Ends that are not known (too few values) are infinite: null in JSON.
nlohmann::ordered_json to_json(const Estimate& estimate);
Estimate read_estimate(JsonCursor at, const NumberRange& range);
/// Variance, covariance, variance, under these names.
std::array<double, 3> read_covariance(JsonCursor at, const std::vector<std::string>& names);

nlohmann::ordered_json to_json(const std::vector<ModelError>& models);
std::vector<ModelError> read_models(JsonCursor at);

/// Points in order of size, {size_bytes, time_s}, time_s being an estimate.
nlohmann::ordered_json to_json(const SizeCurve& curve);
SizeCurve read_curve(JsonCursor at);
/// Complains about a curve without which nothing can be predicted.
void require_points(JsonCursor at, const SizeCurve& curve);

/// The parameters, where there are some, by `write`; null else.
template <typename T>
nlohmann::ordered_json json_or_null(const std::optional<T>& parameters,
                                    nlohmann::ordered_json (*write)(const T&)) {
    return parameters ? write(*parameters) : nlohmann::ordered_json();
}

} // namespace alltold

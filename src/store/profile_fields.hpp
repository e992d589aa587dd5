// SPDX-License-Identifier: BSD-3-Clause
// The fields of a profile that belong to no model as JSON: one writer and one reader each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "network/json/fields.hpp"
#include "network/network.hpp"
#include "network/samples.hpp"
#include "predict/corrections/algorithm_errors.hpp"

namespace alltold {

/// Whole bytes, at most most_size_bytes.
std::uint64_t read_size_bytes(JsonCursor at);

nlohmann::ordered_json to_json(const Provenance& where);
Provenance read_provenance(JsonCursor at);

/// Where calls were measured: "one cluster" or "several clusters".
const char* clusters_word(bool several);
bool read_several_clusters(JsonCursor at);

nlohmann::ordered_json to_json(const Correction& correction);
/// Nothing where the document is wrong, here or before.
std::optional<Correction> read_correction(JsonCursor at);

nlohmann::ordered_json to_json(const std::vector<LibraryTime>& library);
std::vector<LibraryTime> read_library_times(JsonCursor at);

nlohmann::ordered_json to_json(const std::vector<AlgorithmErrors>& errors);
std::vector<AlgorithmErrors> read_algorithm_errors(JsonCursor at);

} // namespace alltold

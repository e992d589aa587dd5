// SPDX-License-Identifier: BSD-3-Clause
// The fields of a profile that belong to no model as JSON: one writer and one reader each.
#pragma once

#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "network/json/fields.hpp"
#include "network/network.hpp"
#include "network/samples.hpp"

namespace alltold {

/// Whole bytes, at most most_size_bytes.
std::uint64_t read_size_bytes(JsonCursor at);
void size_bytes_member(JsonMembers& json, std::uint64_t& size_bytes);

/// "6+6"
nlohmann::ordered_json to_json(const Clusters& clusters);
void from_json(JsonCursor at, Clusters& clusters);
/// Uniform collectives alone.
nlohmann::ordered_json to_json(Collective collective);
void from_json(JsonCursor at, Collective& collective);
nlohmann::ordered_json to_json(StartMode start_mode);
void from_json(JsonCursor at, StartMode& start_mode);

/// Where calls were measured: "one cluster" or "several clusters".
void several_clusters_member(JsonMembers& json, bool& several);

nlohmann::ordered_json to_json(const Correction& correction);
/// Nothing where the document is wrong, here or before.
std::optional<Correction> read_correction(JsonCursor at);

} // namespace alltold

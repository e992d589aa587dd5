// SPDX-License-Identifier: BSD-3-Clause
// The profile as JSON, and its fields that belong to no model: one writer and one reader each.
#pragma once

#include "network/json/fields.hpp"
#include "store/profile.hpp"

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

nlohmann::ordered_json profile_to_json(const Profile& profile);

/// Fails, naming `file` and the field, as load_profile does. Leaves `name` empty.
Result<Profile> profile_from_json(std::string_view text, const std::string& file);

} // namespace alltold

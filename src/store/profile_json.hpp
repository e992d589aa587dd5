// SPDX-License-Identifier: BSD-3-Clause
// The profile as JSON.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "store/profile.hpp"

namespace alltold {

nlohmann::ordered_json profile_to_json(const Profile& profile);

/// Fails, naming `file` and the field, as load_profile does. Leaves `name` empty.
Result<Profile> profile_from_json(std::string_view text, const std::string& file);

} // namespace alltold

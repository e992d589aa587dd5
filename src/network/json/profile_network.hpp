// SPDX-License-Identifier: BSD-3-Clause
// The models' parameters from a profile's JSON.
#pragma once

#include <filesystem>

#include "network/network.hpp"

namespace alltold {

inline constexpr std::string_view profile_format = "alltold profile";
inline constexpr int profile_version = 3;

/// The text of a profile's file: the one reader of such files. Fails as read_text_file does.
Result<std::string> read_profile_file(const std::filesystem::path& path, std::string_view wanted);

/// The root of a profile's text. Text that is none, or is one of another version, is the first
/// error.
JsonCursor profile_root(std::string_view text, const std::string& file);

/// Sets what the cost models' fields read from a profile's root. Returns the keys of all of them.
std::vector<std::string> read_parameters(JsonCursor root, Network& network);

/// The models' parameters alone, of the root of a profile that may lack all else; none where it has
/// none. Fails, naming the file and the field, for what is no profile, or has wrong parameters.
Result<Network> network_of_profile(JsonCursor root);

} // namespace alltold

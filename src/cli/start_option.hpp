// SPDX-License-Identifier: BSD-3-Clause
// --start of the subcommands that predict.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "core/result.hpp"
#include "store/profile.hpp"

namespace alltold::cli {

void add_start_option(CLI::App& subcommand, std::string& start);

/// The profile with what it knows of calls that follow `start`; that of its usual start if the text
/// is empty. Fails as load_profile does, for an unknown start, and if no such call was measured.
Result<Profile> load_profile_from(const std::string& path, const std::string& start);

} // namespace alltold::cli

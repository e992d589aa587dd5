// SPDX-License-Identifier: BSD-3-Clause
// --start and --work of the subcommands that predict.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "core/result.hpp"
#include "store/profile.hpp"

namespace alltold::cli {

struct StartText {
    std::string start; ///< empty: the profile's usual one
    std::string work;  ///< between the calls of a loop; empty: none
};

void add_start_option(CLI::App& subcommand, StartText& text);

/// The profile with what it knows of calls from that start. Fails as load_profile does, for an
/// unknown start, for work outside a loop, and if no such call was measured or can be simulated.
Result<Profile> load_profile_from(const std::string& path, const StartText& text);

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// The options --budget, --precision and --start, shared by all subcommands that time something.
#pragma once

#include <string>

#include "core/result.hpp"
#include "network/start_mode.hpp"

namespace alltold::cli {

/// Seconds, above 0. Fails and names the option.
Result<double> parse_budget(const std::string& text);

/// A share above 0 and at most 1 from "10%" or "0.1". Fails and names the option.
Result<double> parse_share(std::string_view option, const std::string& text);

/// Silence, barrier or back-to-back. Fails and names the option.
Result<StartMode> parse_start(const std::string& text);

} // namespace alltold::cli

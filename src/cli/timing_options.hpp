// SPDX-License-Identifier: BSD-3-Clause
// The options --budget and --start, alike for every subcommand that times something.
#pragma once

#include <string>

#include "core/result.hpp"
#include "network/start_mode.hpp"

namespace alltold::cli {

/// Seconds, above 0. Fails, naming the option.
Result<double> parse_budget(const std::string& text);

/// Silence, barrier or back-to-back. Fails, naming the option.
Result<StartMode> parse_start(const std::string& text);

} // namespace alltold::cli

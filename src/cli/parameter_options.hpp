// SPDX-License-Identifier: BSD-3-Clause
// The options --segment, --window and --wide-window, alike for every verb that has them.
#pragma once

#include <optional>
#include <string>

#include "algorithms/algorithm.hpp"
#include "base/result.hpp"

namespace alltold::cli {

/// The options as typed.
struct ParameterText {
    std::string segment;
    std::optional<int> window, wide_window;

    bool empty() const { return segment.empty() && !window && !wide_window; }
};

/// What was typed; 0 for what was not. Fails, naming the option, where it is no size or below 1.
Result<Parameters> parse_parameters(const ParameterText& text);

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// The options --segment, --window and --inter-cluster-window, alike for every subcommand that has
// them.
#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold::cli {

/// The options as typed.
struct ParameterText {
    std::string segment;
    std::optional<int> window, inter_cluster_window;

    bool empty() const { return segment.empty() && !window && !inter_cluster_window; }
};

/// What was typed; 0 for what was not. Fails, naming the option, where it is no size or below 1.
Result<Parameters> parse_parameters(const ParameterText& text);

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// The options --segment, --window and --inter-cluster-window, shared by all subcommands.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "core/result.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold::cli {

/// The options as typed.
struct ParameterText {
    std::string segment;
    std::optional<int> window, inter_cluster_window;

    bool empty() const { return segment.empty() && !window && !inter_cluster_window; }
};

/// Adds the options. `otherwise` says in the help what holds where one is not given.
void add_parameters(CLI::App& subcommand, ParameterText& text, const std::string& otherwise = "");

/// The given values, 0 for options not given. Fails and names the option if a value is not a size
/// or is below 1.
Result<Parameters> parse_parameters(const ParameterText& text);

} // namespace alltold::cli

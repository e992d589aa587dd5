// SPDX-License-Identifier: BSD-3-Clause
// Options that name collectives, their block sizes (a barrier has none) and parameters of
// algorithms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/specification.hpp"

namespace alltold::cli {

/// "bcast, scatter or gather", with `further` words as the last, if any.
std::string listed(std::span<const Collective> collectives, std::string_view further = "");

/// The help text of --root.
std::string root_help();

/// The collectives in a list such as "bcast,allreduce", which may be empty. Fails, naming the
/// option, for one that has no single block size.
Result<std::vector<Collective>> parse_collectives(std::string_view option, std::string_view text);

/// The help text of --collective, which takes several and by default the `usual` ones.
std::string collectives_help(std::span<const Collective> usual);

/// Fails if none of these has blocks, because only those take -m.
Status takes_sizes(std::span<const Collective> collectives);

/// The block sizes, in bytes, of -m as written; a barrier's are {0}. Fails where -m is missing or
/// wrong, and where a barrier has one.
Result<std::vector<std::uint64_t>> block_sizes(Collective collective, const std::string& text);
/// As above, for a subcommand that takes one size.
Result<std::uint64_t> block_size(Collective collective, const std::string& text);

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

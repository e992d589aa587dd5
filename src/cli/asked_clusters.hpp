// SPDX-License-Identifier: BSD-3-Clause
// The options --clusters and -n of subcommands that need no MPI: the ranks of a call.
#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"
#include "topology/clusters.hpp"

namespace alltold::cli {

/// --clusters as typed. Fails, naming the option.
Result<Clusters> parse_clusters(const std::string& text);

/// --clusters as typed, or where that is empty one cluster of `n` ranks, `least` or more. Fails,
/// naming the options, where both are missing or contradict each other.
Result<Clusters> asked_clusters(const std::string& text, std::optional<int> n, int least);

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// The options --clusters and --hostfile, shared by all subcommands that run under MPI.
#pragma once

#include "cli/subcommand.hpp"
#include "topology/places.hpp"

namespace alltold::cli {

/// Declares --clusters, and puts ALLTOLD_CLUSTERS beside it.
void add_clusters(CLI::App& subcommand, ClusterRequest& request);
/// Declares --hostfile.
void add_host_file(CLI::App& subcommand, ClusterRequest& request);

/// Cluster sizes as ClusterRequest::flag holds them. Fails, naming the option.
Result<std::string> cluster_sizes(const std::string& text);

} // namespace alltold::cli

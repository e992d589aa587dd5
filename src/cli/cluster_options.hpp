// SPDX-License-Identifier: BSD-3-Clause
// The options --clusters and --hostfile, shared by all subcommands that run under MPI.
#pragma once

#include <string>

#include "campaign/arrange.hpp"
#include "cli/subcommand.hpp"

namespace alltold::cli {

/// The options as typed.
struct ClusterText {
    std::string sizes, host_file;
};

/// Declares --clusters.
void add_clusters(CLI::App& subcommand, ClusterText& text);
/// Declares --hostfile.
void add_host_file(CLI::App& subcommand, ClusterText& text);

/// With ALLTOLD_CLUSTERS beside the options. Fails, naming the option, for sizes that cannot be
/// read.
Result<campaign::ClusterRequest> cluster_request(const ClusterText& text);

} // namespace alltold::cli

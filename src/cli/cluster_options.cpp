// SPDX-License-Identifier: BSD-3-Clause
// Declares and parses the cluster options.
#include "cli/cluster_options.hpp"

#include <cstdlib>

#include "cli/collective_options.hpp"
#include "core/result.hpp"

namespace alltold::cli {

void add_clusters(CLI::App& subcommand, ClusterText& text) {
    subcommand.add_option(
        "--clusters", text.sizes,
        "hosts per cluster, such as 6+6, or hosts x ranks per host, such as 6x4+3x8, or auto to "
        "find clusters by probing (default: ALLTOLD_CLUSTERS, else --hostfile, else Slurm's "
        "topology, else auto)");
}

void add_host_file(CLI::App& subcommand, ClusterText& text) {
    subcommand.add_option(
        "--hostfile", text.host_file,
        "the launcher's host file, with clusters named by '# cluster: NAME' comments");
}

Result<campaign::ClusterRequest> cluster_request(const ClusterText& text) {
    if (!text.sizes.empty() && text.sizes != campaign::automatic)
        ALLTOLD_TRY_DONE(parse_clusters(text.sizes));
    const char* here = std::getenv("ALLTOLD_CLUSTERS");
    return campaign::ClusterRequest{text.sizes, here ? here : "", text.host_file};
}

} // namespace alltold::cli

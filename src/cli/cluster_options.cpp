// SPDX-License-Identifier: BSD-3-Clause
#include "cli/cluster_options.hpp"

#include <cstdlib>

#include "cli/collective_options.hpp"

namespace alltold::cli {

void add_clusters(CLI::App& subcommand, ClusterRequest& request) {
    if (const char* sizes = std::getenv("ALLTOLD_CLUSTERS"))
        request.environment = sizes;
    add_parsed(subcommand, "--clusters", request.flag, cluster_sizes,
               "hosts per cluster, such as 6+6, or hosts x ranks per host, such as 6x4+3x8, or "
               "auto to find clusters by probing (default: ALLTOLD_CLUSTERS, else --hostfile, else "
               "Slurm's topology, else auto)");
}

void add_host_file(CLI::App& subcommand, ClusterRequest& request) {
    subcommand.add_option_function<std::string>(
        "--hostfile", [&request](const std::string& file) { request.host_file = file; },
        "the launcher's host file, with clusters named by '# cluster: NAME' comments");
}

Result<std::string> cluster_sizes(const std::string& text) {
    if (text != automatic)
        ALLTOLD_TRY_DONE(parse_clusters(text));
    return text;
}

} // namespace alltold::cli

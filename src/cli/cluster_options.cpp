// SPDX-License-Identifier: BSD-3-Clause
// Declaring and reading the options about clusters.
#include "cli/cluster_options.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "topology/clusters.hpp"

namespace alltold::cli {

void add_clusters(CLI::App& subcommand, ClusterText& text) {
    subcommand.add_option("--clusters", text.sizes,
                          "ranks per cluster, in order, like 6+6, or auto: found by probing "
                          "(ALLTOLD_CLUSTERS, else what --hostfile says, else auto)");
}

void add_host_file(CLI::App& subcommand, ClusterText& text) {
    subcommand.add_option("--hostfile", text.host_file,
                          "the launcher's host file, with comments '# cluster: NAME' in it");
}

Result<campaign::ClusterRequest> cluster_wish(const ClusterText& text) {
    if (!text.sizes.empty() && text.sizes != campaign::automatic)
        if (auto clusters = Clusters::parse(text.sizes); !clusters)
            return bad_input(fmt::format("--clusters: {}", clusters.error().message));
    const char* here = std::getenv("ALLTOLD_CLUSTERS");
    return campaign::ClusterRequest{text.sizes, here ? here : "", text.host_file};
}

} // namespace alltold::cli

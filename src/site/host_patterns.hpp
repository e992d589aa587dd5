// SPDX-License-Identifier: BSD-3-Clause
// A site's file of hosts, made from the hosts of a study.
#pragma once

#include <span>
#include <string>

namespace alltold::site {

/// Lines of patterns, with `# cluster:` comments where there are several clusters. A number in
/// which hosts differ may be any other from the least on, unless a host of another cluster would
/// fit; then up to the greatest. `cluster_of` has the cluster of each host.
std::string host_patterns(std::span<const std::string> hosts, std::span<const int> cluster_of);

} // namespace alltold::site

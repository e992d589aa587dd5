// SPDX-License-Identifier: BSD-3-Clause
// A network as a platform for SimGrid's smpirun.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "network/network.hpp"
#include "topology/clusters.hpp"

namespace alltold {

inline constexpr std::string_view simgrid_mark = "simgrid.dtd";

/// XML 4.1: hosts, "host-0" and so on, each with a full-duplex link of its own, clusters on their
/// backbone links, and the options with which SMPI uses these figures unscaled. SimGrid loses
/// no packets: queues are not in it. Fails without measured links, and where `clusters` are several
/// and there is no backbone.
Result<std::string> simgrid_platform(const Network& network, const Clusters& clusters);

/// The host of every rank, one a line, for smpirun -hostfile.
std::string simgrid_hosts(const Clusters& clusters);

} // namespace alltold

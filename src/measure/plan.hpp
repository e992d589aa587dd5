// SPDX-License-Identifier: BSD-3-Clause
// Which points a campaign measures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/campaign.hpp"
#include "topology/clusters.hpp"

namespace alltold::measure {

/// The names --only knows: "p2p" (ping-pongs) and "collectives" (MPI_Alltoall).
const std::vector<std::string>& kinds();

/// What to measure. Empty lists stand for the defaults.
struct Wishes {
    std::vector<std::string> only;          ///< names of kinds()
    std::vector<std::uint64_t> sizes_bytes; ///< of ping-pongs and collectives alike
    std::vector<Clusters> subsets;          ///< hosts per cluster that take part in collectives
};

/// The subsets of "4,6,8,12" or "4,6+6": comma between subsets. A lone number on several clusters
/// is that many hosts of the first. Fails, naming the entry, as Clusters::parse does.
Result<std::vector<Clusters>> parse_subsets(std::string_view text);

/// Every point wished for on `world`. Fails for an unknown kind and for a subset `world` lacks.
Result<std::vector<Point>> make_plan(const Clusters& world, const Wishes& wishes);

/// World ranks of `point`, in order: the first so many of each cluster, or a ping-pong's pair.
std::vector<int> ranks_of(const Point& point, const Clusters& world);

/// "pingpong 3-4, 64 KiB" or "alltoall n = 6+6, 1 KiB"
std::string describe(const Point& point);

} // namespace alltold::measure

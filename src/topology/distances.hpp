// SPDX-License-Identifier: BSD-3-Clause
// Groups of hosts, separated by a gap in the distances between some pairs of them.
#pragma once

#include <span>
#include <vector>

namespace alltold {

/// Two hosts and how far apart they are: a latency or the time of a transfer, in seconds.
/// Disturbances only lengthen a measurement, so the least of several counts.
struct Distance {
    int first = 0;
    int second = 0;
    double time_s = 0;
};

/// Which gap in the distances makes clusters.
struct Separation {
    double ratio = 2;       ///< the gap's upper end over its lower end, at least
    double lone_ratio = 3;  ///< the same for a gap that isolates a single host
    double least_s = 20e-6; ///< the gap's upper end minus its lower end, at least
    int smallest = 1;       ///< hosts in a group, at least: 1 or 2
};

/// Whether groups are the final answer or decide which pairs to probe next. For the latter too many
/// groups are better than too few, and a few noisy distances do not hide a gap.
enum class Stage { search, answer };

/// The group of each of `hosts` hosts, numbered by first appearance. Groups result from single
/// linkage over the known pairs: the shortest spanning tree is cut at the highest gap between
/// successive edges that `rule` accepts, and each group is cut again likewise. A gap needs an edge
/// below it: equally distant hosts are one cluster, however distant. As a final answer a cut must
/// leave at least half of the hosts with a neighbour in their group, so that two close hosts of
/// twelve do not make eleven clusters. Hosts that no chain of known pairs connects are in different
/// groups.
std::vector<int> group_by_distance(int hosts, std::span<const Distance> known,
                                   const Separation& rule, Stage stage);

} // namespace alltold

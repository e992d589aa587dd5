// SPDX-License-Identifier: BSD-3-Clause
// Groups of hosts that a gap in the distances between some pairs of them sets apart.
#pragma once

#include <span>
#include <vector>

namespace alltold {

/// Two hosts and how far apart they are: a latency or the time of a transfer, in seconds. What
/// disturbs a measurement makes it longer, so the least of several counts.
struct Distance {
    int first = 0;
    int second = 0;
    double time_s = 0;
};

/// Which gap in the distances makes clusters.
struct Separation {
    double ratio = 2;       ///< the near end of the gap to its far end, at least
    double lone_ratio = 3;  ///< the same where it sets a single host apart
    double least_s = 20e-6; ///< the far end less the near one, at least
    int smallest = 1;       ///< hosts in a group, at least: 1 or 2
};

/// Whether groups are to stand as an answer, or to tell which pairs to probe next: then rather too
/// many groups than too few, and a few distances that noise put into a gap do not hide it.
enum class Stage { search, answer };

/// The group of each of `hosts` hosts, numbered by appearance. Groups are those of single linkage
/// over the pairs known, cut at the highest gap between successive edges of the shortest spanning
/// tree that `rule` lets count, and again within each group. A gap below which there is no edge
/// separates nothing: hosts that are all equally far from each other are one cluster, however far
/// that is. As an answer a cut stands only where at least half of the hosts have a neighbour in
/// their group: two hosts of twelve that happen to be close make no eleven clusters. Pairs that no
/// chain of known ones joins are apart.
std::vector<int> group_by_distance(int hosts, std::span<const Distance> known,
                                   const Separation& rule, Stage stage);

} // namespace alltold

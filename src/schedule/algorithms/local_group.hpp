// SPDX-License-Identifier: BSD-3-Clause
// LG between any two of several clusters, all or some of them, for equal blocks or any matrix.
#pragma once

#include <vector>

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// One rank's schedule after Jeannot and Steffenel 2007: remote blocks are collected within their
/// cluster and cross in max(n1, n2) messages each way. With a window this is done between two
/// clusters only where the smaller has at most so many ranks, which is how many blocks then mostly
/// come together; ranks of other pairs of clusters exchange their blocks straight.
Schedule local_group(const Task& task);

/// Algorithm::passes_on of that: what the rank collects of others.
std::vector<Block> collected_blocks(const Task& task);

} // namespace alltold

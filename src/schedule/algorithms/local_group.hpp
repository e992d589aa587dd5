// SPDX-License-Identifier: BSD-3-Clause
// LG between all or some pairs of clusters, for equal blocks or any matrix.
#pragma once

#include <vector>

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// One rank's schedule after Jeannot and Steffenel 2007: blocks for another cluster are collected
/// within their cluster and cross in max(n1, n2) messages each way. With a window, only pairs of
/// clusters whose smaller one has at most `window` ranks do so (that is about how many blocks share
/// a message); between other pairs of clusters, ranks exchange their blocks directly.
Schedule local_group(const Task& task);

/// Algorithm::passes_on of local_group: the blocks of other ranks that the rank collects.
std::vector<Block> collected_blocks(const Task& task);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Scatters and gathers with one message for each remote cluster or host.
#pragma once

#include <string_view>

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/groups.hpp"

namespace alltold {

/// One rank's schedule of a scatter: the root sends one message to the head of each group but its
/// own (see OwnGroup), then the algorithm `within`, which takes no parameters, runs in every group.
Schedule relayed_scatter(const Task& task, Level level, std::string_view within);

/// The mirror: `within` gathers in every group, then each head sends one message to the root.
Schedule relayed_gather(const Task& task, Level level, std::string_view within);

} // namespace alltold

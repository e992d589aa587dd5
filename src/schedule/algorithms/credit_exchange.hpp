// SPDX-License-Identifier: BSD-3-Clause
// All-to-all-v in chunks for which their receivers give leave.
#pragma once

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// One rank's schedule of an all-to-all-v of any matrix. Of every block the first two chunks (half
/// of inter_cluster_window between clusters) go at once. Each further one waits for the chunk of
/// its receiver that is so many before it in the block the other way; where that block is shorter,
/// for a signal, of which a receiver gives as many as keep at most parameters.window chunks of its
/// own cluster and inter_cluster_window of others on their way to its port. A chunk to another
/// cluster also waits for the one from there that is inter_cluster_window before it, whoever sent
/// that. inter_cluster_window is a mean: see own_inter_cluster_window. Windows of 0 have no limit,
/// nor has a rank to which few blocks come, for what those lose TCP repairs, or no more bytes than
/// windows hold. A rank needs its own row and column of the matrix only, and no order of arrival
/// ends in a deadlock.
Schedule credit_exchange(const Task& task);

} // namespace alltold

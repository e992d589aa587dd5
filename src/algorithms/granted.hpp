// SPDX-License-Identifier: BSD-3-Clause
// All-to-all-v in chunks that their receivers grant.
#pragma once

#include "algorithms/algorithm.hpp"

namespace alltold {

/// One rank's schedule of an all-to-all-v of any matrix. The first chunk of every block goes
/// ungranted; each further one waits for a signal of its receiver, who keeps at most
/// parameters.window chunks of its own cluster and wide_window of others on their way to its port,
/// and asks for blocks in proportion to their sizes: were messages fluid, every port would be done
/// at the same instant. A sender has at most half a window and wide_window under way that have not
/// arrived. Windows of 0 have no limit. A rank needs its own row and column of the matrix only, and
/// no order of arrival can end in a deadlock.
Schedule granted_exchange(const Task& task);

} // namespace alltold

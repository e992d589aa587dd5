// SPDX-License-Identifier: BSD-3-Clause
// Which calls need no progress of ours once started.
#pragma once

#include "runtime/communicator_state.hpp"

namespace alltold::preload {

/// Whether every rank can post all messages of a call of this shape when it starts it, since none
/// waits for another. The same on every rank: looks at the schedules of all, up to 128 ranks.
/// Not for all-to-all-v, of which no rank knows the schedules of the others. Fails as
/// CommunicatorState::recipe_for.
Result<bool> posts_at_once(CommunicatorState& mine, const Shape& shape);

} // namespace alltold::preload

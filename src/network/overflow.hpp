// SPDX-License-Identifier: BSD-3-Clause
// Which collectives may overflow the queue in front of a host's port, and which models know it.
#pragma once

#include "network/cost_model.hpp"
#include "schedule/specification.hpp"

namespace alltold {

/// Whether blocks of several ranks may come to one rank at once. One rank receives nothing but its
/// own block in a broadcast or scatter.
bool may_overflow(Collective collective);

/// Whether the network has the model's parameters, and a queue's size is one of them.
bool knows_queue(const CostModel& model, const Network& network);

} // namespace alltold

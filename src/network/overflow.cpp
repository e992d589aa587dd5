// SPDX-License-Identifier: BSD-3-Clause
// Collectives and models that have to do with queues.
#include "network/overflow.hpp"

namespace alltold {

bool may_overflow(Collective collective) {
    return collective != Collective::bcast && collective != Collective::scatter;
}

bool knows_queue(const CostModel& model, const Network& network) {
    return model.queue_bytes && model.lacks(network).empty() && model.queue_bytes(network) > 0;
}

} // namespace alltold

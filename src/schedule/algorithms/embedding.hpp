// SPDX-License-Identifier: BSD-3-Clause
// Embeds the schedule of a subset of the ranks in a larger schedule.
#pragma once

#include "schedule/builder.hpp"

namespace alltold {

/// Where the ranks and buffers of the inner schedule are in the outer one.
struct Embedding {
    int first_rank = 0; ///< rank 0 of the inner schedule; its other ranks follow
    Region send;        ///< the inner schedule's send buffer
    Region receive;     ///< its receive buffer
};

/// Appends the operations of `inner` to `builder`; those without predecessors wait for `after`. The
/// returned step is complete when all of them are; no_step if `inner` is empty.
Step embed(Builder& builder, const Schedule& inner, const Embedding& where, Step after = no_step);

} // namespace alltold

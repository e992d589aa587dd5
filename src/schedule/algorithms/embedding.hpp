// SPDX-License-Identifier: BSD-3-Clause
// A schedule among some ranks as a part of one among more.
#pragma once

#include "schedule/builder.hpp"

namespace alltold {

/// Where a part's ranks and buffers are in the whole.
struct Embedding {
    int first_rank = 0; ///< the part's rank 0; the others follow
    Region send;        ///< stands for the part's send buffer
    Region receive;     ///< for its receive buffer
};

/// Appends the operations of `part` to `builder`; those that wait for nothing in it wait for
/// `after`. The step returned is complete once all of the part is, or no_step where it is empty.
Step embed(Builder& builder, const Schedule& part, const Embedding& where, Step after = no_step);

} // namespace alltold

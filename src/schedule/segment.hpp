// SPDX-License-Identifier: BSD-3-Clause
// A pass that cuts large messages into segments sent one after another.
#pragma once

#include "schedule/schedule.hpp"

namespace alltold {

/// The same schedule with every message and combination of more than `segment_bytes` cut into as
/// few equal segments of whole units as can be (see Segments); 0 cuts none. All ranks must use the
/// same sizes. Where an operation reads or writes exactly the bytes of one of its predecessors,
/// segment k waits only for segment k: the pipeline of Barchet-Steffenel and Mounie 2004,
/// section 3. Otherwise all segments wait for all.
Schedule segmented(const Schedule& schedule, std::uint64_t segment_bytes,
                   std::uint64_t unit_bytes = 1);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The pass that cuts large messages into segments which travel one behind the other.
#pragma once

#include "schedule/schedule.hpp"

namespace alltold {

/// The same schedule with every message of more than `segment_bytes` (at least 1) sent in parts of
/// that size, the last one smaller; every rank's schedule must take the pass with the same size.
/// Where an operation reads or writes exactly the bytes of one it waits for, part k waits for part
/// k alone: that is the pipeline (Barchet-Steffenel and Mounie 2004, section 3). Everywhere else
/// all parts wait for all parts.
Schedule segmented(const Schedule& schedule, std::uint64_t segment_bytes);

} // namespace alltold

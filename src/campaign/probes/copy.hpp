// SPDX-License-Identifier: BSD-3-Clause
// The probe of memory copies within a host.
#pragma once

#include "campaign/probe.hpp"

namespace alltold::measure {

/// M_ctc, M_ctm and M_mtm of TW99 section 3 B, on rank 0: seconds to copy m bytes from cache to
/// cache (the same two buffers over and over, together within the first level where m allows it,
/// up to a quarter of the last), from cache to memory (the target not touched before) and from
/// memory to memory (source and target not touched before). What has not been touched is made so by
/// walking through areas of twice the last level's size, at most 128 MiB each.
Probe copy_probe();

} // namespace alltold::measure

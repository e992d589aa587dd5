// SPDX-License-Identifier: BSD-3-Clause
// The probes of what receiving takes: of the caller, and of whatever else the processor does.
#pragma once

#include "campaign/probe.hpp"

namespace alltold::measure {

/// U_r, TW99 section 3, "the cost spent by the receiving process after arrival of messages":
/// seconds MPI_Recv takes for a message that has been there for a while, up to 1 KiB.
Probe fetch_probe();

/// O_r(m), TW99 section 3: a control computation of about 20 ms runs quietly, then again while
/// `count` messages of m bytes arrive; a sample is what it took longer, per message, and at least
/// 0. What arrives fits into the socket's buffer, so that only the kernel works on it. Where
/// another processor handles what arrives (a lab's hosts share those of one machine) little is
/// seen.
Probe background_probe();

} // namespace alltold::measure

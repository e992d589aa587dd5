// SPDX-License-Identifier: BSD-3-Clause
// The probes of what sending takes: of the caller, of the processor, and of the link.
#pragma once

#include "campaign/probe.hpp"

namespace alltold::measure {

/// T_s(m) of TW99's Table 1: seconds a blocking MPI_Send of m bytes keeps its caller. The paper
/// prints the parameter without a word on it; a send call's time is our reading.
Probe send_call_probe();

/// O_s(m), TW99 section 3: "directly measure the time engaged by the CPU". Processor time of this
/// process over one nonblocking send, from the call until it is complete, asleep in between: TW99's
/// send ends with the call, MPI's may go on after it.
Probe send_overhead_probe();

/// g_s(m), TW99 section 3, the time in which the network serves one message: seconds from the
/// first of `count` sends, all begun at once, to the receiver's word that it has them all. Two
/// lengths of train a size; the fit takes their difference, so that start-up and answer fall out.
/// At 64 KiB three lengths, whose slope is the port's goodput.
Probe train_probe();

} // namespace alltold::measure

// SPDX-License-Identifier: BSD-3-Clause
// Brings the recorded times of all ranks' operations to rank 0.
#pragma once

#include <vector>

#include "campaign/engine/clock.hpp"
#include "runtime/execute/execution.hpp"
#include "runtime/mpi/managed_communicator.hpp"
#include "store/call_trace.hpp"

namespace alltold::campaign {

/// The operations of all ranks of `over` by rank, in seconds since the first of them started; empty
/// on other ranks than 0. `program` is what `recorder` recorded. Collective over `over`.
Result<std::vector<std::vector<TracedOperation>>> gather_trace(const mpi::ManagedCommunicator& over,
                                                               const Program& program,
                                                               const OperationRecorder& recorder,
                                                               const GlobalClock& clock);

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// One outcome for all ranks, so that none goes on where another has stopped.
#pragma once

#include "runtime/mpi/managed_communicator.hpp"

namespace alltold::mpi {

/// Rank 0's outcome on every rank: its error with the text there, with an empty text elsewhere.
/// Collective; one broadcast.
Status agree(const ManagedCommunicator& all, const Status& mine);

/// The error of the lowest rank that has one, as agree gives it: the text on rank 0 only.
/// Collective; two gathers and a broadcast.
Status agree_all(const ManagedCommunicator& all, const Status& mine);

} // namespace alltold::mpi

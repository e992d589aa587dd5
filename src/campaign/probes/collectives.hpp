// SPDX-License-Identifier: BSD-3-Clause
// The probes of collectives: the MPI library's own and ours, on sets of hosts.
#pragma once

#include "campaign/probe.hpp"

namespace alltold::measure {

/// Seconds from an agreed instant to the last rank's finish, of one run from root 0 with blocks of
/// m bytes, or, where the campaign's start_mode is not silence, the longest that any rank spends in
/// it; Point::algorithm is "mpi" or a choice with all its parameters. Without wishes: the library's
/// all-to-all on every set of hosts; the other collectives, and a few algorithms of ours for each,
/// on all hosts and at fewer sizes. Buffers are touched and schedules made before the clock runs.
/// What arrives is not looked at: the checker proves schedules, and `run` checks bytes.
Probe bcast_probe();
Probe scatter_probe();
Probe gather_probe();
Probe alltoall_probe();

/// Fails for a collective or an algorithm wished for that there is not, naming it, and for an
/// algorithm of a collective that is not wished for.
Status check_collectives(const Wishes& wishes);

} // namespace alltold::measure

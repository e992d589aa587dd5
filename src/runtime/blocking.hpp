// SPDX-License-Identifier: BSD-3-Clause
// A call from its arguments to its end, with whatever algorithm its communicator has chosen.
#pragma once

#include "runtime/communicator_state.hpp"

namespace alltold {

/// The program of `call`, for which an algorithm of ours is chosen, on `mine`, its ranks renumbered
/// where the communicator's clusters want it. Where the algorithm passes on blocks of an
/// all-to-all-v, collective: ranks exchange sizes. Fails as CommunicatorState::program_for and MPI
/// do.
Result<const std::shared_ptr<const Program>*> prepare(CommunicatorState& mine, Call& call);

/// Runs `call` to its end in memory that `mine` keeps. Collective. Fails as MPI does and,
/// having sent nothing, where there is no program for the call.
Status run(CommunicatorState& mine, Call& call);
/// Runs a regular collective from its arguments; quicker when they are like those before.
Status run(CommunicatorState& mine, const Arguments& arguments);

} // namespace alltold

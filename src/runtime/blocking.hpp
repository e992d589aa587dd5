// SPDX-License-Identifier: BSD-3-Clause
// A call from its arguments to its end, with whatever algorithm its communicator has chosen.
#pragma once

#include "runtime/call.hpp"
#include "runtime/communicator_state.hpp"

namespace alltold {

/// The program of `call`, for which an algorithm of ours is chosen, on `mine`, its ranks renumbered
/// where the communicator's clusters want it. Where the algorithm passes on blocks of an
/// all-to-all-v, collective: ranks tell each other sizes, and an MPI error on the way goes to
/// `code`, with no program. Fails as CommunicatorState::program_for does.
Result<const std::shared_ptr<const Program>*> prepare(CommunicatorState& mine, Call& call,
                                                      int& code);

/// Runs `call` to its end in memory that `mine` keeps. Collective. The value is an MPI error code;
/// fails, having sent nothing, where there is no program for the call.
Result<int> run(CommunicatorState& mine, Call& call);
/// The same from a regular collective's arguments; quicker when they are like those before.
Result<int> run(CommunicatorState& mine, const Arguments& arguments);

} // namespace alltold

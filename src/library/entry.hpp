// SPDX-License-Identifier: BSD-3-Clause
// Requests and errors of the C interface.
#pragma once

#include <new>

#include "alltold/alltold.h"
#include "runtime/pending.hpp"

namespace alltold::library {

/// Starts a nonblocking call on the given state.
using StartCall = std::function<Status(CommunicatorState&, alltold_request*)>;

/// The call of a persistent request. Calls are matched by the order of their inits and may start in
/// any other, so each has communicators of its own.
struct Persistent {
    std::unique_ptr<CommunicatorState> state;
    StartCall start;
    alltold_request running = ALLTOLD_REQUEST_NULL; ///< null while it is inactive
};

} // namespace alltold::library

struct alltold_request_state {
    MPI_Comm comm = MPI_COMM_NULL;
    alltold::Pending pending;
    bool by_library = false; ///< then the library's own request is all there is
    MPI_Request library = MPI_REQUEST_NULL;
    std::unique_ptr<alltold::library::Persistent> persistent; ///< then this is all there is
};

namespace alltold::library {

/// Calls the error handler of `comm` unless `code` is MPI_SUCCESS; returns `code`.
int report(MPI_Comm comm, int code);
/// The MPI error code of `status`; alltold_last_error says why where MPI does not.
int code_of(const Status& status);

/// Runs `use` with what we keep of `comm`; returns an MPI error code.
template <typename Use>
int with(MPI_Comm comm, Use&& use) try {
    auto mine = CommunicatorState::of(comm);
    return report(comm, code_of(mine ? use(**mine) : Status(mine.error())));
} catch (const std::bad_alloc&) {
    return report(comm, MPI_ERR_NO_MEM);
}

} // namespace alltold::library

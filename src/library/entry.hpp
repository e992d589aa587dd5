// SPDX-License-Identifier: BSD-3-Clause
// What the functions of the C interface share: errors, requests, blocking and nonblocking calls.
#pragma once

#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "alltold/alltold.h"
#include "runtime/blocking.hpp"
#include "runtime/library_call.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/pending.hpp"

namespace alltold::library {

/// Starts a nonblocking call on the given state.
using StartCall = std::function<Status(CommunicatorState&, alltold_request*)>;

/// What a persistent request starts again and again. Calls are matched by the order of their inits
/// and may start in any other, so each has communicators of its own.
struct Persistent {
    std::unique_ptr<CommunicatorState> own;
    StartCall begin;
    alltold_request running = ALLTOLD_REQUEST_NULL; ///< null while it is inactive
};

} // namespace alltold::library

struct alltold_request_state {
    MPI_Comm comm = MPI_COMM_NULL;
    alltold::Pending pending;
    bool by_library = false; ///< then the library's own request is all there is
    MPI_Request library = MPI_REQUEST_NULL;
    std::unique_ptr<alltold::library::Persistent> persistent = {}; ///< then this is all there is
};

namespace alltold::library {

/// Why the calling thread's last call failed; empty where MPI says it.
std::string& last_error();
/// Calls the error handler of `comm` unless `code` is MPI_SUCCESS; returns `code`.
int report(MPI_Comm comm, int code);
/// The MPI error code of `status`; alltold_last_error speaks where MPI does not.
int code_of(const Status& status);

/// Runs `use` with what we keep of `comm`; returns an MPI error code.
template <typename Use>
int with(MPI_Comm comm, Use&& use) try {
    auto mine = CommunicatorState::of(comm);
    return report(comm, code_of(mine ? use(**mine) : Status(mine.error())));
} catch (const std::bad_alloc&) {
    return report(comm, MPI_ERR_NO_MEM);
}

/// Runs one of ours to its end.
Status run_ours(CommunicatorState& mine, Result<Call>&& call);
/// Starts one of ours.
Status start(CommunicatorState& mine, alltold_request* request, MPI_Comm comm, Result<Call>&& call);

/// Keeps the library's own request, which `begin` starts.
template <typename Begin>
Status start_with(alltold_request* request, MPI_Comm comm, Begin&& begin) {
    std::unique_ptr<alltold_request_state> state(
        new alltold_request_state{comm, {}, true, MPI_REQUEST_NULL});
    auto begun = begin(&state->library);
    if (begun)
        *request = state.release();
    return begun;
}

/// Starts what `begin`, called as StartCall, starts on the state of `comm`.
template <typename AnyBegin>
int nonblocking_by(MPI_Comm comm, alltold_request* request, AnyBegin&& begin) {
    *request = ALLTOLD_REQUEST_NULL;
    return with(comm, [&](CommunicatorState& mine) { return begin(mine, request); });
}

/// Makes a persistent request, whose starts call `begin`. Collective.
int persistent_by(MPI_Comm comm, alltold_request* request, StartCall begin);

/// The calls of the regular collectives.
Status run_regular(CommunicatorState& mine, const Arguments& arguments);
Status start_regular(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                     const Arguments& arguments);
int blocking(MPI_Comm comm, const Arguments& arguments);
int nonblocking(MPI_Comm comm, alltold_request* request, const Arguments& arguments);
int persistent(MPI_Comm comm, alltold_request* request, const Arguments& arguments);

} // namespace alltold::library

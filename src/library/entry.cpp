// SPDX-License-Identifier: BSD-3-Clause
// Error codes and error handlers, and regular collectives from their arguments.
#include "library/entry.hpp"

namespace alltold::library {
namespace {

/// Runs `call` while others are open on the communicator, and advances those: ranks may wait for
/// them before they make this call.
Status run_among_open(CommunicatorState& mine, Call call) {
    Pending pending;
    if (auto started =
            pending.start_on(mine.channel(), OpenCalls::blocking_tag(), mine, std::move(call));
        !started)
        return started;
    for (;;) {
        const auto complete = pending.test();
        if (!complete)
            return complete.error();
        if (*complete)
            return pending.finish();
        mine.open_calls()->advance();
    }
}

} // namespace

std::string& last_error() {
    static thread_local std::string text;
    return text;
}

int report(MPI_Comm comm, int code) {
    if (code != MPI_SUCCESS && comm != MPI_COMM_NULL)
        PMPI_Comm_call_errhandler(comm, code);
    return code;
}

int code_of(const Status& status) {
    if (status)
        return MPI_SUCCESS;
    const auto& error = status.error();
    const bool by_mpi = error.code != MPI_SUCCESS && error.status == ExitStatus::environment;
    last_error() = by_mpi ? std::string() : error.message;
    return error.code != MPI_SUCCESS ? error.code : MPI_ERR_ARG;
}

Status run_ours(CommunicatorState& mine, Result<Call>&& call) {
    if (!call)
        return call.error();
    return mine.open_calls()->none() ? run(mine, *call) : run_among_open(mine, std::move(*call));
}

Status start(CommunicatorState& mine, alltold_request* request, MPI_Comm comm,
             Result<Call>&& call) {
    if (!call)
        return call.error();
    std::unique_ptr<alltold_request_state> state(new alltold_request_state{comm, {}});
    auto started = state->pending.start(mine, std::move(*call));
    if (started)
        *request = state.release();
    return started;
}

Status run_regular(CommunicatorState& mine, const Arguments& arguments) {
    if (mine.open_calls()->none())
        return run(mine, arguments);
    if (!runs_library(mine, arguments))
        return run_ours(mine, Call::of(mine.caller(), arguments));
    mine.open_calls()->complete(); // the library's own would not advance them
    return run_library(mine.plain(), arguments);
}

Status start_regular(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                     const Arguments& arguments) {
    if (starts_library(mine, arguments))
        return start_with(request, comm, [&](MPI_Request* library) {
            return start_library(mine.plain(), arguments, library);
        });
    return start(mine, request, comm, Call::of(mine.caller(), arguments));
}

int persistent_by(MPI_Comm comm, alltold_request* request, StartCall begin) {
    *request = ALLTOLD_REQUEST_NULL;
    return with(comm, [&](CommunicatorState& mine) -> Status {
        mine.open_calls()->complete(); // what follows would not advance them
        auto own = std::make_unique<CommunicatorState>(mine.plain());
        if (auto opened = own->open_like(mine); !opened)
            return opened;
        std::unique_ptr<alltold_request_state> state(new alltold_request_state{comm, {}});
        state->persistent = std::make_unique<Persistent>();
        state->persistent->own = std::move(own);
        state->persistent->begin = std::move(begin);
        *request = state.release();
        return Done{};
    });
}

int blocking(MPI_Comm comm, const Arguments& arguments) {
    return with(comm, [&](CommunicatorState& mine) { return run_regular(mine, arguments); });
}

int nonblocking(MPI_Comm comm, alltold_request* request, const Arguments& arguments) {
    return nonblocking_by(comm, request, [&](CommunicatorState& mine, alltold_request* started) {
        return start_regular(mine, comm, started, arguments);
    });
}

int persistent(MPI_Comm comm, alltold_request* request, const Arguments& arguments) {
    return persistent_by(comm, request,
                         [comm, arguments](CommunicatorState& mine, alltold_request* started) {
                             return start_regular(mine, comm, started, arguments);
                         });
}

} // namespace alltold::library

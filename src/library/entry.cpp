// SPDX-License-Identifier: BSD-3-Clause
// Error codes and error handlers, and regular collectives from their arguments.
#include "library/entry.hpp"

namespace alltold::library {

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

int blocking(MPI_Comm comm, const Arguments& arguments) {
    return with(comm, [&](CommunicatorState& mine) { return run(mine, arguments); });
}

int nonblocking(MPI_Comm comm, alltold_request* request, const Arguments& arguments) {
    *request = ALLTOLD_REQUEST_NULL;
    return with(comm, [&](CommunicatorState& mine) -> Status {
        if (starts_library(mine, arguments))
            return start_with(request, comm, [&](MPI_Request* library) {
                return start_library(mine.plain(), arguments, library);
            });
        return start(mine, request, comm, Call::of(mine.caller(), arguments));
    });
}

} // namespace alltold::library

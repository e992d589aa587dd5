// SPDX-License-Identifier: BSD-3-Clause
// The C interface of requests, settings and errors.
#include <fmt/format.h>

#include "library/entry.hpp"

namespace alltold::library {
namespace {

/// Why the calling thread's last call failed; empty where MPI says it.
thread_local std::string last_error;

} // namespace

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
    last_error = by_mpi ? std::string() : error.message;
    return error.code != MPI_SUCCESS ? error.code : MPI_ERR_ARG;
}

} // namespace alltold::library

using namespace alltold;
using namespace alltold::library;

namespace {

/// Unpacks what a finished request received and frees it.
int conclude(alltold_request* request, const Status& done) {
    const std::unique_ptr<alltold_request_state> state(std::exchange(*request, nullptr));
    return report(state->comm, code_of(done ? state->pending.finish() : done));
}

/// MPI_ERR_REQUEST unless the request is persistent and not started.
int refused_unless_inactive(const alltold_request* request) {
    if (!*request || !(*request)->persistent)
        return code_of(mpi::argument_error(MPI_ERR_REQUEST, "the request is not persistent"));
    if ((*request)->persistent->running)
        return report((*request)->comm,
                      code_of(mpi::argument_error(MPI_ERR_REQUEST, "the request is active")));
    return MPI_SUCCESS;
}

Result<bool> test_library(MPI_Request& request) {
    int completed = 0;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Test, &request, &completed, MPI_STATUS_IGNORE));
    return completed != 0;
}

/// Sets the numbers that the ranks give, by rank. Collective.
int set_of_all_ranks(MPI_Comm comm, int number,
                     Status (CommunicatorState::*set)(std::vector<int>)) {
    return with(comm, [&](CommunicatorState& mine) -> Status {
        mine.open_calls()->complete(); // they use the communicator that is replaced
        std::vector<int> numbers(static_cast<std::size_t>(mine.caller().size));
        auto gathered =
            ALLTOLD_PMPI(Allgather, &number, 1, MPI_INT, numbers.data(), 1, MPI_INT, mine.plain());
        return gathered ? (mine.*set)(std::move(numbers)) : gathered;
    });
}

} // namespace

extern "C" {

int alltold_test(alltold_request* request, int* flag) {
    *flag = 1;
    if (!*request)
        return MPI_SUCCESS;
    auto& state = **request;
    if (state.persistent)
        return alltold_test(&state.persistent->running, flag);
    const auto done =
        state.by_library ? test_library(state.library) : state.pending.test_with_others();
    if (!done)
        return conclude(request, done.error());
    *flag = *done;
    return *done ? conclude(request, Done{}) : MPI_SUCCESS;
}

int alltold_wait(alltold_request* request) {
    if (!*request)
        return MPI_SUCCESS;
    if ((*request)->persistent)
        return alltold_wait(&(*request)->persistent->running);
    return conclude(request, (*request)->by_library
                                 ? ALLTOLD_PMPI(Wait, &(*request)->library, MPI_STATUS_IGNORE)
                                 : (*request)->pending.wait());
}

int alltold_start(alltold_request* request) try {
    if (const int code = refused_unless_inactive(request); code != MPI_SUCCESS)
        return code;
    auto& state = **request;
    auto& call = *state.persistent;
    return report(state.comm, code_of(call.start(*call.state, &call.running)));
} catch (const std::bad_alloc&) {
    return report((*request)->comm, MPI_ERR_NO_MEM);
}

int alltold_request_free(alltold_request* request) {
    if (const int code = refused_unless_inactive(request); code != MPI_SUCCESS)
        return code;
    const std::unique_ptr<alltold_request_state> state(std::exchange(*request, nullptr));
    return MPI_SUCCESS;
}

int alltold_set_algorithm(MPI_Comm comm, const char* choice) {
    return with(comm, [&](CommunicatorState& mine) -> Status {
        if (std::string_view(choice) == "auto") {
            mine.open_calls()->complete(); // what follows would not advance them
            return mine.choose_by_rules();
        }
        ALLTOLD_TRY(parsed, parse_choice(choice));
        if (parsed->is_default()) {
            mine.choose_library();
            return Done{};
        }
        if (!parsed->algorithm)
            return bad_input(fmt::format("{}: the MPI library chooses among its own "
                                         "algorithms; use mpi or one of alltold's",
                                         choice));
        return mine.choose(*parsed, true);
    });
}

int alltold_set_clusters(MPI_Comm comm, int count, const int sizes[]) {
    return with(comm, [&](CommunicatorState& mine) -> Status {
        std::vector<int> cluster_of;
        for (int c = 0; c < count; ++c) {
            if (sizes[c] < 1)
                return bad_input("a cluster must have at least 1 rank");
            cluster_of.insert(cluster_of.end(), static_cast<std::size_t>(sizes[c]), c);
        }
        if (std::ssize(cluster_of) != mine.caller().size)
            return bad_input("the cluster sizes must add up to the communicator's size");
        mine.open_calls()->complete(); // they use the communicator that is replaced
        return mine.set_clusters(std::move(cluster_of));
    });
}

int alltold_set_cluster(MPI_Comm comm, int cluster) {
    return set_of_all_ranks(comm, cluster, &CommunicatorState::set_clusters);
}

int alltold_set_host(MPI_Comm comm, int host) {
    return set_of_all_ranks(comm, host, &CommunicatorState::set_hosts);
}

const char* alltold_last_error(void) {
    return last_error.c_str();
}

} // extern "C"

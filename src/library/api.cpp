// SPDX-License-Identifier: BSD-3-Clause
// The C interface: arguments in, error codes out, the caller's error handler called.
#include "alltold/alltold.h"

#include <new>
#include <numeric>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "runtime/blocking.hpp"
#include "runtime/library_call.hpp"
#include "runtime/pending.hpp"

using namespace alltold;

struct alltold_request_state {
    MPI_Comm comm = MPI_COMM_NULL;
    Pending pending;
    bool by_library = false; ///< then the library's own request is all there is
    MPI_Request library = MPI_REQUEST_NULL;
};

namespace {

thread_local std::string last_error;

int report(MPI_Comm comm, int code) {
    if (code != MPI_SUCCESS && comm != MPI_COMM_NULL)
        MPI_Comm_call_errhandler(comm, code);
    return code;
}

int refuse(const Error& error) {
    last_error = error.message;
    return MPI_ERR_ARG;
}

/// Runs `use` with what we keep of `comm`; its value is an MPI error code, and so is this one's.
template <typename Use>
int with(MPI_Comm comm, Use&& use) try {
    int code = MPI_SUCCESS;
    auto* mine = CommunicatorState::of(comm, code);
    return report(comm, code == MPI_SUCCESS ? use(*mine) : code);
} catch (const std::bad_alloc&) {
    return report(comm, MPI_ERR_NO_MEM);
}

int code_of(const Result<int>& ran) {
    return ran ? *ran : refuse(ran.error());
}

int start(CommunicatorState& mine, alltold_request* request, MPI_Comm comm, int code, Call&& call) {
    if (code != MPI_SUCCESS)
        return code;
    std::unique_ptr<alltold_request_state> state(new alltold_request_state{comm, {}});
    const auto started = state->pending.start(mine, std::move(call));
    if (!started)
        return refuse(started.error());
    code = *started;
    if (code == MPI_SUCCESS)
        *request = state.release();
    return code;
}

/// Keeps the library's own request, which `begin` starts.
template <typename Begin>
int start_with(alltold_request* request, MPI_Comm comm, Begin&& begin) {
    std::unique_ptr<alltold_request_state> state(
        new alltold_request_state{comm, {}, true, MPI_REQUEST_NULL});
    const int code = begin(&state->library);
    if (code == MPI_SUCCESS)
        *request = state.release();
    return code;
}

/// Unpacks what a finished request received and frees it.
int conclude(alltold_request* request, int code) {
    const std::unique_ptr<alltold_request_state> state(std::exchange(*request, nullptr));
    if (code == MPI_SUCCESS)
        code = state->pending.finish();
    return report(state->comm, code);
}

int blocking(MPI_Comm comm, const Arguments& arguments) {
    return with(comm, [&](CommunicatorState& mine) { return code_of(run(mine, arguments)); });
}

int nonblocking(MPI_Comm comm, alltold_request* request, const Arguments& arguments) {
    *request = ALLTOLD_REQUEST_NULL;
    return with(comm, [&](CommunicatorState& mine) {
        if (runs_library(mine, arguments))
            return start_with(request, comm, [&](MPI_Request* library) {
                return start_library(mine, arguments, library);
            });
        int code = MPI_SUCCESS;
        auto call = Call::of(mine.caller(), arguments, code);
        return start(mine, request, comm, code, std::move(call));
    });
}

} // namespace

extern "C" {

int alltold_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::bcast, {}, {buffer, count, datatype}, root});
}

int alltold_ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                   alltold_request* request) {
    return nonblocking(comm, request,
                       Arguments{Collective::bcast, {}, {buffer, count, datatype}, root});
}

int alltold_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::scatter,
                                    {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype},
                                    root});
}

int alltold_iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                     alltold_request* request) {
    return nonblocking(comm, request,
                       Arguments{Collective::scatter,
                                 {sendbuf, sendcount, sendtype},
                                 {recvbuf, recvcount, recvtype},
                                 root});
}

int alltold_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::gather,
                                    {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype},
                                    root});
}

int alltold_igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    alltold_request* request) {
    return nonblocking(comm, request,
                       Arguments{Collective::gather,
                                 {sendbuf, sendcount, sendtype},
                                 {recvbuf, recvcount, recvtype},
                                 root});
}

int alltold_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::alltoall,
                                    {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype},
                                    0});
}

int alltold_ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      alltold_request* request) {
    return nonblocking(comm, request,
                       Arguments{Collective::alltoall,
                                 {sendbuf, sendcount, sendtype},
                                 {recvbuf, recvcount, recvtype},
                                 0});
}

int alltold_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    return with(comm, [&](CommunicatorState& mine) {
        if (!mine.choices().choice_of(Collective::alltoallv, 0).algorithm)
            return MPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                 rdispls, recvtype, mine.plain());
        int code = MPI_SUCCESS;
        auto call = Call::alltoallv(mine.caller(), {sendbuf, sendcounts, sdispls, sendtype},
                                    {recvbuf, recvcounts, rdispls, recvtype}, code);
        return code == MPI_SUCCESS ? code_of(run(mine, call)) : code;
    });
}

int alltold_ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       alltold_request* request) {
    *request = ALLTOLD_REQUEST_NULL;
    return with(comm, [&](CommunicatorState& mine) {
        if (!mine.choices().choice_of(Collective::alltoallv, 0).algorithm)
            return start_with(request, comm, [&](MPI_Request* library) {
                return MPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                      rdispls, recvtype, mine.plain(), library);
            });
        int code = MPI_SUCCESS;
        auto call = Call::alltoallv(mine.caller(), {sendbuf, sendcounts, sdispls, sendtype},
                                    {recvbuf, recvcounts, rdispls, recvtype}, code);
        return start(mine, request, comm, code, std::move(call));
    });
}

int alltold_test(alltold_request* request, int* flag) {
    bool done = true;
    int code = MPI_SUCCESS;
    if (*request && (*request)->by_library) {
        int completed = 0;
        code = MPI_Test(&(*request)->library, &completed, MPI_STATUS_IGNORE);
        done = completed;
    } else if (*request) {
        code = code_of((*request)->pending.test(done));
    }
    *flag = done || code != MPI_SUCCESS;
    return *request && *flag ? conclude(request, code) : code;
}

int alltold_wait(alltold_request* request) {
    if (!*request)
        return MPI_SUCCESS;
    return conclude(request, (*request)->by_library
                                 ? MPI_Wait(&(*request)->library, MPI_STATUS_IGNORE)
                                 : code_of((*request)->pending.wait()));
}

int alltold_set_algorithm(MPI_Comm comm, const char* choice) {
    return with(comm, [&](CommunicatorState& mine) {
        if (std::string_view(choice) == "auto") {
            const auto ruled = mine.choose_by_rules();
            return ruled ? MPI_SUCCESS : refuse(ruled.error());
        }
        const auto parsed = parse_choice(choice);
        if (!parsed)
            return refuse(parsed.error());
        if (parsed->is_default()) {
            mine.choose_library();
            return MPI_SUCCESS;
        }
        if (!parsed->algorithm)
            return refuse(bad_input(fmt::format("{}: the MPI library chooses among its own "
                                                "algorithms; use mpi or one of alltold's",
                                                choice)));
        const auto chosen = mine.choose(*parsed, true);
        return chosen ? MPI_SUCCESS : refuse(chosen.error());
    });
}

int alltold_set_clusters(MPI_Comm comm, int count, const int sizes[]) {
    return with(comm, [&](CommunicatorState& mine) {
        std::vector<int> cluster_of;
        for (int c = 0; c < count; ++c) {
            if (sizes[c] < 1)
                return refuse(bad_input("a cluster must have at least 1 rank"));
            cluster_of.insert(cluster_of.end(), static_cast<std::size_t>(sizes[c]), c);
        }
        if (std::ssize(cluster_of) != mine.caller().size)
            return refuse(bad_input("the cluster sizes must add up to the communicator's size"));
        return mine.set_clusters(cluster_of);
    });
}

int alltold_set_cluster(MPI_Comm comm, int cluster) {
    return with(comm, [&](CommunicatorState& mine) {
        std::vector<int> cluster_of(static_cast<std::size_t>(mine.caller().size));
        const int code = MPI_Allgather(&cluster, 1, MPI_INT, cluster_of.data(), 1, MPI_INT, comm);
        return code == MPI_SUCCESS ? mine.set_clusters(cluster_of) : code;
    });
}

const char* alltold_last_error(void) {
    return last_error.c_str();
}

} // extern "C"

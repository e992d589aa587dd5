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
#include "runtime/mpi/error.hpp"
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
        PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/// The MPI error code of `status`; alltold_last_error speaks where MPI does not.
int code_of(const Status& status) {
    if (status)
        return MPI_SUCCESS;
    const auto& error = status.error();
    const bool by_mpi = error.code != MPI_SUCCESS && error.status == ExitStatus::environment;
    last_error = by_mpi ? std::string() : error.message;
    return error.code != MPI_SUCCESS ? error.code : MPI_ERR_ARG;
}

/// Runs `use` with what we keep of `comm`; returns an MPI error code.
template <typename Use>
int with(MPI_Comm comm, Use&& use) try {
    auto mine = CommunicatorState::of(comm);
    return report(comm, code_of(mine ? use(**mine) : Status(mine.error())));
} catch (const std::bad_alloc&) {
    return report(comm, MPI_ERR_NO_MEM);
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

/// Unpacks what a finished request received and frees it.
int conclude(alltold_request* request, const Status& done) {
    const std::unique_ptr<alltold_request_state> state(std::exchange(*request, nullptr));
    return report(state->comm, code_of(done ? state->pending.finish() : done));
}

Result<bool> test_library(MPI_Request& request) {
    int completed = 0;
    if (auto tested = mpi::check(PMPI_Test(&request, &completed, MPI_STATUS_IGNORE), "MPI_Test");
        !tested)
        return tested.error();
    return completed != 0;
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

/// Both sides have the same count and type.
Arguments reduction(Collective collective, const void* send, void* receive, int count,
                    MPI_Datatype type, MPI_Op op, int root = 0) {
    return {collective, {send, count, type}, {receive, count, type}, root, op};
}

/// Every rank's number, by rank. Collective.
Result<std::vector<int>> of_all_ranks(int mine, const CommunicatorState& state) {
    std::vector<int> all(static_cast<std::size_t>(state.caller().size));
    if (auto gathered =
            mpi::check(PMPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, state.plain()),
                       "MPI_Allgather");
        !gathered)
        return gathered.error();
    return all;
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

int alltold_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::allgather,
                                    {sendbuf, sendcount, sendtype},
                                    {recvbuf, recvcount, recvtype}});
}

int alltold_iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                       alltold_request* request) {
    return nonblocking(comm, request,
                       Arguments{Collective::allgather,
                                 {sendbuf, sendcount, sendtype},
                                 {recvbuf, recvcount, recvtype}});
}

int alltold_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   int root, MPI_Comm comm) {
    return blocking(comm,
                    reduction(Collective::reduce, sendbuf, recvbuf, count, datatype, op, root));
}

int alltold_ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    int root, MPI_Comm comm, alltold_request* request) {
    return nonblocking(comm, request,
                       reduction(Collective::reduce, sendbuf, recvbuf, count, datatype, op, root));
}

int alltold_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm) {
    return blocking(comm, reduction(Collective::allreduce, sendbuf, recvbuf, count, datatype, op));
}

int alltold_iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm, alltold_request* request) {
    return nonblocking(comm, request,
                       reduction(Collective::allreduce, sendbuf, recvbuf, count, datatype, op));
}

int alltold_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return blocking(comm, reduction(Collective::reduce_scatter_block, sendbuf, recvbuf, recvcount,
                                    datatype, op));
}

int alltold_ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                  alltold_request* request) {
    return nonblocking(
        comm, request,
        reduction(Collective::reduce_scatter_block, sendbuf, recvbuf, recvcount, datatype, op));
}

int alltold_scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm) {
    return blocking(comm, reduction(Collective::scan, sendbuf, recvbuf, count, datatype, op));
}

int alltold_iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm, alltold_request* request) {
    return nonblocking(comm, request,
                       reduction(Collective::scan, sendbuf, recvbuf, count, datatype, op));
}

int alltold_exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
    return blocking(comm, reduction(Collective::exscan, sendbuf, recvbuf, count, datatype, op));
}

int alltold_iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, alltold_request* request) {
    return nonblocking(comm, request,
                       reduction(Collective::exscan, sendbuf, recvbuf, count, datatype, op));
}

int alltold_barrier(MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::barrier});
}

int alltold_ibarrier(MPI_Comm comm, alltold_request* request) {
    return nonblocking(comm, request, Arguments{Collective::barrier});
}

int alltold_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    return with(comm, [&](CommunicatorState& mine) -> Status {
        if (!mine.choices().choice_of(Collective::alltoallv, 0).algorithm)
            return mpi::check(PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                             recvcounts, rdispls, recvtype, mine.plain()),
                              "MPI_Alltoallv");
        auto call = Call::alltoallv(mine.caller(), {sendbuf, sendcounts, sdispls, sendtype},
                                    {recvbuf, recvcounts, rdispls, recvtype});
        return call ? run(mine, *call) : call.error();
    });
}

int alltold_ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       alltold_request* request) {
    *request = ALLTOLD_REQUEST_NULL;
    return with(comm, [&](CommunicatorState& mine) -> Status {
        if (!mine.choices().choice_of(Collective::alltoallv, 0).algorithm)
            return start_with(request, comm, [&](MPI_Request* library) {
                return mpi::check(PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                  recvcounts, rdispls, recvtype, mine.plain(),
                                                  library),
                                  "MPI_Ialltoallv");
            });
        return start(mine, request, comm,
                     Call::alltoallv(mine.caller(), {sendbuf, sendcounts, sdispls, sendtype},
                                     {recvbuf, recvcounts, rdispls, recvtype}));
    });
}

int alltold_test(alltold_request* request, int* flag) {
    *flag = 1;
    if (!*request)
        return MPI_SUCCESS;
    auto& state = **request;
    const auto done = state.by_library ? test_library(state.library) : state.pending.test();
    if (!done)
        return conclude(request, done.error());
    *flag = *done;
    return *done ? conclude(request, Done{}) : MPI_SUCCESS;
}

int alltold_wait(alltold_request* request) {
    if (!*request)
        return MPI_SUCCESS;
    return conclude(request,
                    (*request)->by_library
                        ? mpi::check(PMPI_Wait(&(*request)->library, MPI_STATUS_IGNORE), "MPI_Wait")
                        : (*request)->pending.wait());
}

int alltold_set_algorithm(MPI_Comm comm, const char* choice) {
    return with(comm, [&](CommunicatorState& mine) -> Status {
        if (std::string_view(choice) == "auto")
            return mine.choose_by_rules();
        const auto parsed = parse_choice(choice);
        if (!parsed)
            return parsed.error();
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
        return mine.set_clusters(std::move(cluster_of));
    });
}

int alltold_set_cluster(MPI_Comm comm, int cluster) {
    return with(comm, [&](CommunicatorState& mine) {
        auto cluster_of = of_all_ranks(cluster, mine);
        return cluster_of ? mine.set_clusters(std::move(*cluster_of)) : cluster_of.error();
    });
}

int alltold_set_host(MPI_Comm comm, int host) {
    return with(comm, [&](CommunicatorState& mine) {
        auto host_of = of_all_ranks(host, mine);
        return host_of ? mine.set_hosts(std::move(*host_of)) : host_of.error();
    });
}

const char* alltold_last_error(void) {
    return last_error.c_str();
}

} // extern "C"

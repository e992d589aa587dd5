// SPDX-License-Identifier: BSD-3-Clause
// The C interface: arguments in, error codes out, the caller's error handler called.
#include "alltold/alltold.h"

#include <new>
#include <numeric>
#include <string>

#include "runtime/blocking.hpp"

using namespace alltold;

/// A nonblocking call under way: it owns what the blocking one borrows.
struct alltold_request_state {
    MPI_Comm comm = MPI_COMM_NULL;
    Call call;
    std::shared_ptr<const Program> program;
    std::unique_ptr<std::byte[]> scratch;
    Execution execution;
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

template <typename MakeCall>
int blocking(MPI_Comm comm, MakeCall&& make_call) try {
    int code = MPI_SUCCESS;
    auto* mine = Communicator::of(comm, code);
    if (code != MPI_SUCCESS)
        return report(comm, code);
    auto call = make_call(mine->caller(), code);
    if (code != MPI_SUCCESS)
        return report(comm, code);
    const auto ran = run(*mine, call);
    return report(comm, ran ? *ran : refuse(ran.error()));
} catch (const std::bad_alloc&) {
    return report(comm, MPI_ERR_NO_MEM);
}

template <typename MakeCall>
int nonblocking(MPI_Comm comm, alltold_request* request, MakeCall&& make_call) try {
    *request = ALLTOLD_REQUEST_NULL;
    int code = MPI_SUCCESS;
    auto* mine = Communicator::of(comm, code);
    if (code != MPI_SUCCESS)
        return report(comm, code);
    std::unique_ptr<alltold_request_state> state(
        new alltold_request_state{comm, make_call(mine->caller(), code), {}, {}, {}});
    if (code != MPI_SUCCESS)
        return report(comm, code);
    const auto prepared = prepare(*mine, state->call);
    if (!prepared)
        return report(comm, refuse(prepared.error()));
    state->program = **prepared; // the cache may drop it while we run
    const auto& program = *state->program;
    state->scratch.reset(new std::byte[program.schedule().scratch_bytes()]);
    auto memory = state->call.memory();
    memory.scratch = state->scratch.get();
    code = state->execution.start(program, memory, mine->channel(), mine->take_tags());
    if (code == MPI_SUCCESS)
        *request = state.release();
    return report(comm, code);
} catch (const std::bad_alloc&) {
    return report(comm, MPI_ERR_NO_MEM);
}

/// Unpacks what a finished request received and frees it.
int conclude(alltold_request* request, int code) {
    const std::unique_ptr<alltold_request_state> state(std::exchange(*request, nullptr));
    if (code == MPI_SUCCESS)
        code = state->call.finish();
    return report(state->comm, code);
}

// One argument list serves both the blocking and the nonblocking call.
auto bcast_of(void* buffer, int count, MPI_Datatype type, int root) {
    return [=](const Caller& caller, int& code) {
        return Call::bcast(caller, {buffer, count, type}, root, code);
    };
}

auto scatter_of(const Side& send, const Side& receive, int root) {
    return [=](const Caller& caller, int& code) {
        return Call::scatter(caller, send, receive, root, code);
    };
}

auto gather_of(const Side& send, const Side& receive, int root) {
    return [=](const Caller& caller, int& code) {
        return Call::gather(caller, send, receive, root, code);
    };
}

auto alltoall_of(const Side& send, const Side& receive) {
    return [=](const Caller& caller, int& code) {
        return Call::alltoall(caller, send, receive, code);
    };
}

auto alltoallv_of(const VectorSide& send, const VectorSide& receive) {
    return [=](const Caller& caller, int& code) {
        return Call::alltoallv(caller, send, receive, code);
    };
}

} // namespace

extern "C" {

int alltold_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    return blocking(comm, bcast_of(buffer, count, datatype, root));
}

int alltold_ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                   alltold_request* request) {
    return nonblocking(comm, request, bcast_of(buffer, count, datatype, root));
}

int alltold_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return blocking(
        comm, scatter_of({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root));
}

int alltold_iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                     alltold_request* request) {
    return nonblocking(
        comm, request,
        scatter_of({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root));
}

int alltold_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return blocking(
        comm, gather_of({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root));
}

int alltold_igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    alltold_request* request) {
    return nonblocking(
        comm, request,
        gather_of({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root));
}

int alltold_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(comm,
                    alltoall_of({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}));
}

int alltold_ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      alltold_request* request) {
    return nonblocking(comm, request,
                       alltoall_of({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}));
}

int alltold_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(comm, alltoallv_of({sendbuf, sendcounts, sdispls, sendtype},
                                       {recvbuf, recvcounts, rdispls, recvtype}));
}

int alltold_ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       alltold_request* request) {
    return nonblocking(comm, request,
                       alltoallv_of({sendbuf, sendcounts, sdispls, sendtype},
                                    {recvbuf, recvcounts, rdispls, recvtype}));
}

int alltold_test(alltold_request* request, int* flag) {
    bool done = true;
    int code = MPI_SUCCESS;
    if (*request)
        code = (*request)->execution.test(done);
    *flag = done || code != MPI_SUCCESS;
    return *request && *flag ? conclude(request, code) : code;
}

int alltold_wait(alltold_request* request) {
    return *request ? conclude(request, (*request)->execution.wait()) : MPI_SUCCESS;
}

int alltold_set_algorithm(MPI_Comm comm, const char* choice) {
    int code = MPI_SUCCESS;
    auto* mine = Communicator::of(comm, code);
    if (code != MPI_SUCCESS)
        return report(comm, code);
    const auto parsed = parse_choice(choice);
    if (!parsed)
        return report(comm, refuse(parsed.error()));
    const auto chosen = mine->choose(*parsed);
    return chosen ? MPI_SUCCESS : report(comm, refuse(chosen.error()));
}

int alltold_set_clusters(MPI_Comm comm, int count, const int sizes[]) {
    int code = MPI_SUCCESS;
    auto* mine = Communicator::of(comm, code);
    if (code != MPI_SUCCESS)
        return report(comm, code);
    std::vector<int> cluster_of;
    for (int c = 0; c < count; ++c) {
        if (sizes[c] < 1)
            return report(comm, refuse(bad_input("a cluster holds at least 1 rank")));
        cluster_of.insert(cluster_of.end(), static_cast<std::size_t>(sizes[c]), c);
    }
    if (std::ssize(cluster_of) != mine->caller().size)
        return report(comm, refuse(bad_input("the clusters' sizes must add up to the "
                                             "communicator's")));
    return report(comm, mine->set_clusters(cluster_of));
}

int alltold_set_cluster(MPI_Comm comm, int cluster) {
    int code = MPI_SUCCESS;
    auto* mine = Communicator::of(comm, code);
    if (code != MPI_SUCCESS)
        return report(comm, code);
    std::vector<int> cluster_of(static_cast<std::size_t>(mine->caller().size));
    code = MPI_Allgather(&cluster, 1, MPI_INT, cluster_of.data(), 1, MPI_INT, comm);
    return report(comm, code == MPI_SUCCESS ? mine->set_clusters(cluster_of) : code);
}

const char* alltold_last_error(void) {
    return last_error.c_str();
}

} // extern "C"

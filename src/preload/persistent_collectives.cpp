// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions that make, start and free persistent calls, defined as those of
// collectives.cpp.
#include <algorithm>
#include <memory>
#include <new>

#include "preload/calls.hpp"
#include "preload/persistent.hpp"

#ifdef ALLTOLD_PERSISTENT

using namespace alltold;
using namespace alltold::preload;

namespace {

/// Makes a call of ours, with the arguments that keep() gives to KeptArguments; `pass_on` is the
/// library's init.
template <typename Keep, typename PassOn>
int make_ours(ProgramCommunicator& mine, MPI_Comm comm, const SizedCall& call,
              const Decision& decision, MPI_Request* request, Keep&& keep, PassOn&& pass_on) try {
    if (auto opened = mine.open(); !opened)
        return opened.error().status == ExitStatus::no ? pass_on() : report(comm, opened);
    auto arguments = std::make_unique<KeptArguments>(decision.choice);
    const Status kept = keep(*arguments);
    PersistentLog log{{call.collective, mine.ranks(), call.sent_bytes, true, nullptr, decision.why},
                      *decision.choice};
    const auto made = kept ? make_persistent(mine.shared_state(), mine.persistent_channels(), comm,
                                             std::move(arguments), std::move(log), request)
                           : kept;
    if (!made && made.error().status != ExitStatus::environment)
        return pass_on();
    return report(comm, made);
} catch (const std::bad_alloc&) {
    return report(comm, mpi::out_of_memory());
}

template <typename PassOn>
int persistent(MPI_Comm comm, const Arguments& arguments, MPI_Request* request, PassOn&& pass_on) {
    auto* const mine = ProgramCommunicator::of(comm);
    if (!mine || !mine->takes(arguments.collective))
        return pass_on();
    const auto call = regular(*mine, arguments, true);
    if (!call || call->refusal != MPI_SUCCESS)
        return pass_on();
    const auto decision = mine->decide_persistent(call->sized);
    if (!decision.ours())
        return pass_on();
    return make_ours(
        *mine, comm, call->sized, decision, request,
        [&](KeptArguments& kept) { return kept.keep(mine->caller(), call->arguments); }, pass_on);
}

template <typename PassOn>
int persistent(MPI_Comm comm, const VectorSide& send, const VectorSide& receive,
               MPI_Request* request, PassOn&& pass_on) {
    auto* const mine = ProgramCommunicator::of(comm);
    if (!mine || !mine->takes(Collective::alltoallv) || vector_requests_are_the_librarys)
        return pass_on();
    const auto call = vector_size(*mine, send, receive);
    if (!call)
        return pass_on();
    const auto decision = mine->decide_persistent(*call);
    if (!decision.ours())
        return pass_on();
    return make_ours(
        *mine, comm, *call, decision, request,
        [&](KeptArguments& kept) { return kept.keep(mine->caller(), send, receive); }, pass_on);
}

// The counts and displacements of the functions defined below.
using Count = int;
using Displacement = int;

} // namespace

extern "C" {

#define DEFINE(Name, name, PARAMETERS, ARGUMENTS, ...)                                             \
    int ALLTOLD_PROFILED_PERSISTENT(Name)(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Info info, \
                                          MPI_Request * request) {                                 \
        return persistent(comm, __VA_ARGS__, request, [&] {                                        \
            return library().name##_init(ALLTOLD_LEADING ARGUMENTS comm, info, request);           \
        });                                                                                        \
    }                                                                                              \
    ALLTOLD_FORWARD(                                                                               \
        ALLTOLD_PERSISTENT(Name), ALLTOLD_PROFILED_PERSISTENT(Name), name##_init,                  \
        (ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Info info, MPI_Request * request),          \
        (ALLTOLD_LEADING ARGUMENTS comm, info, request))
ALLTOLD_COLLECTIVES(DEFINE)
#undef DEFINE

int PMPI_Start(MPI_Request* request) {
    return request && is_ours(*request) ? start_persistent(request) : library().start(request);
}

int PMPI_Startall(int count, MPI_Request* requests) {
    if (!requests || std::none_of(requests, requests + std::max(count, 0), is_ours))
        return library().startall(count, requests);
    for (int i = 0; i < count; ++i)
        if (const int code = PMPI_Start(&requests[i]); code != MPI_SUCCESS)
            return code;
    return MPI_SUCCESS;
}

int PMPI_Request_free(MPI_Request* request) {
    return request && is_ours(*request) ? free_persistent(request)
                                        : library().request_free(request);
}

ALLTOLD_PERSISTENT_FUNCTIONS(ALLTOLD_FORWARD_ROW)

} // extern "C"

#endif

// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions that make, start and free persistent calls, defined as those of
// collectives.cpp.
#include <algorithm>

#include "preload/persistent_calls.hpp"
#include "preload/persistent_receive.hpp"

#ifdef ALLTOLD_PERSISTENT

using namespace alltold;
using namespace alltold::preload;

namespace {

// The counts and displacements of the functions defined below.
using Count = int;
using Displacement = int;

} // namespace

extern "C" {

#define DEFINE(Name, name, PARAMETERS, ARGUMENTS, ...)                                             \
    int ALLTOLD_PROFILED_PERSISTENT(Name)(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Info info, \
                                          MPI_Request * request) {                                 \
        return persistent(ProgramCommunicator::of(comm), comm, __VA_ARGS__, request, [&] {         \
            return library().name##_init(ALLTOLD_LEADING ARGUMENTS comm, info, request);           \
        });                                                                                        \
    }                                                                                              \
    ALLTOLD_FORWARD(                                                                               \
        ALLTOLD_PERSISTENT(Name), ALLTOLD_PROFILED_PERSISTENT(Name), name##_init,                  \
        (ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Info info, MPI_Request * request),          \
        (ALLTOLD_LEADING ARGUMENTS comm, info, request))
ALLTOLD_COLLECTIVES(DEFINE)
#undef DEFINE

/// Only retire_for() is ours.
int ALLTOLD_PROFILED_PERSISTENT(Reduce_scatter)(const void* send, void* receive, const int* counts,
                                                MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                                MPI_Info info, MPI_Request* request) {
    retire_for(op);
    return library().reduce_scatter_init(send, receive, counts, type, op, comm, info, request);
}
ALLTOLD_FORWARD(ALLTOLD_PERSISTENT(Reduce_scatter), ALLTOLD_PROFILED_PERSISTENT(Reduce_scatter),
                reduce_scatter_init,
                (const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request),
                (send, receive, counts, type, op, comm, info, request))

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

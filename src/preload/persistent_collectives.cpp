// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions that make, start and free persistent calls, defined as those of
// collectives.cpp.
#include "preload/persistent_calls.hpp"
#include "preload/real.hpp"

#ifdef ALLTOLD_PERSISTENT

using namespace alltold;
using namespace alltold::preload;

extern "C" {

#define DEFINE(Name, name, PARAMETERS, ARGUMENTS, ...)                                             \
    int ALLTOLD_PROFILED_PERSISTENT(Name)(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Info info, \
                                          MPI_Request * request) {                                 \
        return persistent(comm, __VA_ARGS__, request, [&] {                                        \
            return library().name##_init(ALLTOLD_LEADING ARGUMENTS comm, info, request);           \
        });                                                                                        \
    }                                                                                              \
    int ALLTOLD_PERSISTENT(Name)(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Info info,          \
                                 MPI_Request * request) {                                          \
        const auto next =                                                                          \
            tool().name##_init ? tool().name##_init : ALLTOLD_PROFILED_PERSISTENT(Name);           \
        return next(ALLTOLD_LEADING ARGUMENTS comm, info, request);                                \
    }
ALLTOLD_COLLECTIVES(DEFINE)
#undef DEFINE

int PMPI_Start(MPI_Request* request) {
    return request && is_ours(*request) ? start_persistent(request) : library().start(request);
}

int MPI_Start(MPI_Request* request) {
    const auto next = tool().start ? tool().start : PMPI_Start;
    return next(request);
}

int PMPI_Startall(int count, MPI_Request* requests) {
    if (!requests || std::none_of(requests, requests + std::max(count, 0), is_ours))
        return library().startall(count, requests);
    for (int i = 0; i < count; ++i)
        if (const int code = PMPI_Start(&requests[i]); code != MPI_SUCCESS)
            return code;
    return MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request* requests) {
    const auto next = tool().startall ? tool().startall : PMPI_Startall;
    return next(count, requests);
}

int PMPI_Request_free(MPI_Request* request) {
    return request && is_ours(*request) ? free_persistent(request)
                                        : library().request_free(request);
}

int MPI_Request_free(MPI_Request* request) {
    const auto next = tool().request_free ? tool().request_free : PMPI_Request_free;
    return next(request);
}

} // extern "C"

#endif

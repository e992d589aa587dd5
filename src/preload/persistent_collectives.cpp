// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions that make, start and free persistent calls, defined as those of
// collectives.cpp.
#include "preload/persistent_calls.hpp"
#include "preload/real.hpp"

#ifdef ALLTOLD_PERSISTENT

using namespace alltold;
using namespace alltold::preload;

extern "C" {

int ALLTOLD_PROFILED_PERSISTENT(Bcast)(void* buffer, int count, MPI_Datatype type, int root,
                                       MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return persistent(
        comm, Arguments{Collective::bcast, {}, {buffer, count, type}, root}, request,
        [&] { return library().bcast_init(buffer, count, type, root, comm, info, request); });
}

int ALLTOLD_PERSISTENT(Bcast)(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                              MPI_Info info, MPI_Request* request) {
    const auto next = tool().bcast_init ? tool().bcast_init : ALLTOLD_PROFILED_PERSISTENT(Bcast);
    return next(buffer, count, type, root, comm, info, request);
}

int ALLTOLD_PROFILED_PERSISTENT(Scatter)(const void* send, int send_count, MPI_Datatype send_type,
                                         void* receive, int receive_count,
                                         MPI_Datatype receive_type, int root, MPI_Comm comm,
                                         MPI_Info info, MPI_Request* request) {
    return persistent(comm,
                      Arguments{Collective::scatter,
                                {send, send_count, send_type},
                                {receive, receive_count, receive_type},
                                root},
                      request, [&] {
                          return library().scatter_init(send, send_count, send_type, receive,
                                                        receive_count, receive_type, root, comm,
                                                        info, request);
                      });
}

int ALLTOLD_PERSISTENT(Scatter)(const void* send, int send_count, MPI_Datatype send_type,
                                void* receive, int receive_count, MPI_Datatype receive_type,
                                int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    const auto next =
        tool().scatter_init ? tool().scatter_init : ALLTOLD_PROFILED_PERSISTENT(Scatter);
    return next(send, send_count, send_type, receive, receive_count, receive_type, root, comm, info,
                request);
}

int ALLTOLD_PROFILED_PERSISTENT(Gather)(const void* send, int send_count, MPI_Datatype send_type,
                                        void* receive, int receive_count, MPI_Datatype receive_type,
                                        int root, MPI_Comm comm, MPI_Info info,
                                        MPI_Request* request) {
    return persistent(comm,
                      Arguments{Collective::gather,
                                {send, send_count, send_type},
                                {receive, receive_count, receive_type},
                                root},
                      request, [&] {
                          return library().gather_init(send, send_count, send_type, receive,
                                                       receive_count, receive_type, root, comm,
                                                       info, request);
                      });
}

int ALLTOLD_PERSISTENT(Gather)(const void* send, int send_count, MPI_Datatype send_type,
                               void* receive, int receive_count, MPI_Datatype receive_type,
                               int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    const auto next = tool().gather_init ? tool().gather_init : ALLTOLD_PROFILED_PERSISTENT(Gather);
    return next(send, send_count, send_type, receive, receive_count, receive_type, root, comm, info,
                request);
}

int ALLTOLD_PROFILED_PERSISTENT(Alltoall)(const void* send, int send_count, MPI_Datatype send_type,
                                          void* receive, int receive_count,
                                          MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                                          MPI_Request* request) {
    return persistent(comm,
                      Arguments{Collective::alltoall,
                                {send, send_count, send_type},
                                {receive, receive_count, receive_type},
                                0},
                      request, [&] {
                          return library().alltoall_init(send, send_count, send_type, receive,
                                                         receive_count, receive_type, comm, info,
                                                         request);
                      });
}

int ALLTOLD_PERSISTENT(Alltoall)(const void* send, int send_count, MPI_Datatype send_type,
                                 void* receive, int receive_count, MPI_Datatype receive_type,
                                 MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    const auto next =
        tool().alltoall_init ? tool().alltoall_init : ALLTOLD_PROFILED_PERSISTENT(Alltoall);
    return next(send, send_count, send_type, receive, receive_count, receive_type, comm, info,
                request);
}

int ALLTOLD_PROFILED_PERSISTENT(Alltoallv)(const void* send, const int* send_counts,
                                           const int* send_places, MPI_Datatype send_type,
                                           void* receive, const int* receive_counts,
                                           const int* receive_places, MPI_Datatype receive_type,
                                           MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return persistent(comm, VectorSide{send, send_counts, send_places, send_type},
                      VectorSide{receive, receive_counts, receive_places, receive_type}, request,
                      [&] {
                          return library().alltoallv_init(send, send_counts, send_places, send_type,
                                                          receive, receive_counts, receive_places,
                                                          receive_type, comm, info, request);
                      });
}

int ALLTOLD_PERSISTENT(Alltoallv)(const void* send, const int* send_counts, const int* send_places,
                                  MPI_Datatype send_type, void* receive, const int* receive_counts,
                                  const int* receive_places, MPI_Datatype receive_type,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    const auto next =
        tool().alltoallv_init ? tool().alltoallv_init : ALLTOLD_PROFILED_PERSISTENT(Alltoallv);
    return next(send, send_counts, send_places, send_type, receive, receive_counts, receive_places,
                receive_type, comm, info, request);
}

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

// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions of the program's calls, defined in front of the MPI library.
//
// Both names of each are defined. A program's call comes to MPI_; where a tool stands behind us, it
// is handed on to the tool. The tool's own PMPI_ call, as that of a tool before us, and as those of
// the libraries' Fortran bindings, comes to PMPI_, which does the work.
#include "preload/calls.hpp"
#include "preload/real.hpp"

using namespace alltold;
using namespace alltold::preload;

extern "C" {

int PMPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::bcast, {}, {buffer, count, type}, root},
                    [&] { return library().bcast(buffer, count, type, root, comm); });
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    const auto next = tool().bcast;
    return next ? next(buffer, count, type, root, comm)
                : PMPI_Bcast(buffer, count, type, root, comm);
}

int PMPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
    return blocking(comm,
                    Arguments{Collective::scatter,
                              {send, send_count, send_type},
                              {receive, receive_count, receive_type},
                              root},
                    [&] {
                        return library().scatter(send, send_count, send_type, receive,
                                                 receive_count, receive_type, root, comm);
                    });
}

int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
    const auto next = tool().scatter;
    return next
               ? next(send, send_count, send_type, receive, receive_count, receive_type, root, comm)
               : PMPI_Scatter(send, send_count, send_type, receive, receive_count, receive_type,
                              root, comm);
}

int PMPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
    return blocking(comm,
                    Arguments{Collective::gather,
                              {send, send_count, send_type},
                              {receive, receive_count, receive_type},
                              root},
                    [&] {
                        return library().gather(send, send_count, send_type, receive, receive_count,
                                                receive_type, root, comm);
                    });
}

int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
               int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
    const auto next = tool().gather;
    return next
               ? next(send, send_count, send_type, receive, receive_count, receive_type, root, comm)
               : PMPI_Gather(send, send_count, send_type, receive, receive_count, receive_type,
                             root, comm);
}

int PMPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                  int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
    return blocking(comm,
                    Arguments{Collective::alltoall,
                              {send, send_count, send_type},
                              {receive, receive_count, receive_type},
                              0},
                    [&] {
                        return library().alltoall(send, send_count, send_type, receive,
                                                  receive_count, receive_type, comm);
                    });
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
    const auto next = tool().alltoall;
    return next ? next(send, send_count, send_type, receive, receive_count, receive_type, comm)
                : PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type,
                                comm);
}

int PMPI_Alltoallv(const void* send, const int* send_counts, const int* send_places,
                   MPI_Datatype send_type, void* receive, const int* receive_counts,
                   const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm) {
    return blocking(comm, VectorSide{send, send_counts, send_places, send_type},
                    VectorSide{receive, receive_counts, receive_places, receive_type}, [&] {
                        return library().alltoallv(send, send_counts, send_places, send_type,
                                                   receive, receive_counts, receive_places,
                                                   receive_type, comm);
                    });
}

int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_places,
                  MPI_Datatype send_type, void* receive, const int* receive_counts,
                  const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm) {
    const auto next = tool().alltoallv;
    return next ? next(send, send_counts, send_places, send_type, receive, receive_counts,
                       receive_places, receive_type, comm)
                : PMPI_Alltoallv(send, send_counts, send_places, send_type, receive, receive_counts,
                                 receive_places, receive_type, comm);
}

int PMPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                MPI_Request* request) {
    return nonblocking(comm, Arguments{Collective::bcast, {}, {buffer, count, type}, root}, request,
                       [&] { return library().ibcast(buffer, count, type, root, comm, request); });
}

int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
    const auto next = tool().ibcast;
    return next ? next(buffer, count, type, root, comm, request)
                : PMPI_Ibcast(buffer, count, type, root, comm, request);
}

int PMPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                  int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                  MPI_Request* request) {
    return nonblocking(comm,
                       Arguments{Collective::scatter,
                                 {send, send_count, send_type},
                                 {receive, receive_count, receive_type},
                                 root},
                       request, [&] {
                           return library().iscatter(send, send_count, send_type, receive,
                                                     receive_count, receive_type, root, comm,
                                                     request);
                       });
}

int MPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                 MPI_Request* request) {
    const auto next = tool().iscatter;
    return next ? next(send, send_count, send_type, receive, receive_count, receive_type, root,
                       comm, request)
                : PMPI_Iscatter(send, send_count, send_type, receive, receive_count, receive_type,
                                root, comm, request);
}

int PMPI_Igather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                 MPI_Request* request) {
    return nonblocking(comm,
                       Arguments{Collective::gather,
                                 {send, send_count, send_type},
                                 {receive, receive_count, receive_type},
                                 root},
                       request, [&] {
                           return library().igather(send, send_count, send_type, receive,
                                                    receive_count, receive_type, root, comm,
                                                    request);
                       });
}

int MPI_Igather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                MPI_Request* request) {
    const auto next = tool().igather;
    return next ? next(send, send_count, send_type, receive, receive_count, receive_type, root,
                       comm, request)
                : PMPI_Igather(send, send_count, send_type, receive, receive_count, receive_type,
                               root, comm, request);
}

int PMPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                   int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                   MPI_Request* request) {
    return nonblocking(comm,
                       Arguments{Collective::alltoall,
                                 {send, send_count, send_type},
                                 {receive, receive_count, receive_type},
                                 0},
                       request, [&] {
                           return library().ialltoall(send, send_count, send_type, receive,
                                                      receive_count, receive_type, comm, request);
                       });
}

int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                  int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                  MPI_Request* request) {
    const auto next = tool().ialltoall;
    return next ? next(send, send_count, send_type, receive, receive_count, receive_type, comm,
                       request)
                : PMPI_Ialltoall(send, send_count, send_type, receive, receive_count, receive_type,
                                 comm, request);
}

int PMPI_Ialltoallv(const void* send, const int* send_counts, const int* send_places,
                    MPI_Datatype send_type, void* receive, const int* receive_counts,
                    const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm,
                    MPI_Request* request) {
    return nonblocking(comm, VectorSide{send, send_counts, send_places, send_type},
                       VectorSide{receive, receive_counts, receive_places, receive_type}, request,
                       [&] {
                           return library().ialltoallv(send, send_counts, send_places, send_type,
                                                       receive, receive_counts, receive_places,
                                                       receive_type, comm, request);
                       });
}

int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_places,
                   MPI_Datatype send_type, void* receive, const int* receive_counts,
                   const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm,
                   MPI_Request* request) {
    const auto next = tool().ialltoallv;
    return next ? next(send, send_counts, send_places, send_type, receive, receive_counts,
                       receive_places, receive_type, comm, request)
                : PMPI_Ialltoallv(send, send_counts, send_places, send_type, receive,
                                  receive_counts, receive_places, receive_type, comm, request);
}

} // extern "C"

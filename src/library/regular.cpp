// SPDX-License-Identifier: BSD-3-Clause
// The C interface of collectives with one block size, or none.
#include "library/entry.hpp"

using namespace alltold;
using namespace alltold::library;

extern "C" {

int alltold_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::bcast, {}, {buffer, count, datatype}, root});
}

int alltold_ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                   alltold_request* request) {
    return nonblocking(comm, request,
                       Arguments{Collective::bcast, {}, {buffer, count, datatype}, root});
}

int alltold_bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                       MPI_Info, alltold_request* request) {
    return persistent(comm, request,
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

int alltold_scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                         alltold_request* request) {
    return persistent(comm, request,
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

int alltold_gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info,
                        alltold_request* request) {
    return persistent(comm, request,
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

int alltold_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                          alltold_request* request) {
    return persistent(comm, request,
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

int alltold_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                           alltold_request* request) {
    return persistent(comm, request,
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

int alltold_reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, MPI_Comm comm, MPI_Info, alltold_request* request) {
    return persistent(comm, request,
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

int alltold_allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm, MPI_Info, alltold_request* request) {
    return persistent(comm, request,
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

int alltold_reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info,
                                      alltold_request* request) {
    return persistent(
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

int alltold_scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, MPI_Info, alltold_request* request) {
    return persistent(comm, request,
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

int alltold_exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Info, alltold_request* request) {
    return persistent(comm, request,
                      reduction(Collective::exscan, sendbuf, recvbuf, count, datatype, op));
}

int alltold_barrier(MPI_Comm comm) {
    return blocking(comm, Arguments{Collective::barrier});
}

int alltold_ibarrier(MPI_Comm comm, alltold_request* request) {
    return nonblocking(comm, request, Arguments{Collective::barrier});
}

int alltold_barrier_init(MPI_Comm comm, MPI_Info, alltold_request* request) {
    return persistent(comm, request, Arguments{Collective::barrier});
}

} // extern "C"

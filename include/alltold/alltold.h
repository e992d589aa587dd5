/* SPDX-License-Identifier: BSD-3-Clause */
/* alltold's collectives: MPI's argument lists, alltold's algorithms.
 *
 * Every call except start, test and wait is collective over the communicator. The first call
 * duplicates the communicator; all messages use the duplicate, so they never match the caller's
 * receives. Every call returns MPI_SUCCESS or an MPI error code, after invoking the communicator's
 * error handler. Intercommunicators return MPI_ERR_COMM. Thread safety is that of the MPI library:
 * under MPI_THREAD_MULTIPLE, different threads may call on different communicators.
 */
#ifndef ALLTOLD_ALLTOLD_H
#define ALLTOLD_ALLTOLD_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A pending nonblocking collective. Complete it with test or wait before MPI_Finalize. */
typedef struct alltold_request_state* alltold_request;
#define ALLTOLD_REQUEST_NULL ((alltold_request)0)

/* Blocking collectives. Arguments are those of MPI_Bcast and so on, including MPI_IN_PLACE. */
int alltold_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int alltold_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int alltold_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int alltold_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int alltold_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/* These, and the vector forms below, run the MPI library's own until alltold_set_algorithm chooses
 * another. Operators are MPI's or the program's own; one that does not commute runs an algorithm
 * that keeps the order of ranks, else the library's own. A nonblocking reduction with an operator
 * of the program's own is always the library's. */
int alltold_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int alltold_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   int root, MPI_Comm comm);
/* With an algorithm of alltold's, all ranks get the same bits. */
int alltold_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm);
int alltold_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int alltold_scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm);
int alltold_exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm);
int alltold_barrier(MPI_Comm comm);

/* Vector forms. The first three are all-to-all-vs in which some blocks are empty, and run the
 * algorithm chosen for it: by the name of one that carries it out, or by rules for alltoallv. */
int alltold_gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                    MPI_Comm comm);
int alltold_scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                     MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                     int root, MPI_Comm comm);
int alltold_alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                      const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
/* With equal counts these run what is chosen for allgather and reduce_scatter_block, else always
 * the library's own. */
int alltold_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                       MPI_Comm comm);
int alltold_reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Nonblocking collectives. Do not touch buffers and arrays until the request completes; types and
 * operators may be freed. There is no asynchronous progress: poll alltold_test while computing. */
int alltold_ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                   alltold_request* request);
int alltold_iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                     alltold_request* request);
int alltold_igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    alltold_request* request);
int alltold_ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      alltold_request* request);
int alltold_ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       alltold_request* request);

int alltold_iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                       alltold_request* request);
int alltold_ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    int root, MPI_Comm comm, alltold_request* request);
int alltold_iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm, alltold_request* request);
int alltold_ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                  alltold_request* request);
int alltold_iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm, alltold_request* request);
int alltold_iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, alltold_request* request);
int alltold_ibarrier(MPI_Comm comm, alltold_request* request);

int alltold_igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                     MPI_Comm comm, alltold_request* request);
int alltold_iscatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                      MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                      int root, MPI_Comm comm, alltold_request* request);
int alltold_ialltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                       const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                       alltold_request* request);
int alltold_iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                        MPI_Comm comm, alltold_request* request);
int alltold_ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                            alltold_request* request);

/* Persistent collectives. The init is collective, and takes the choice of algorithm and the
 * clusters of that time; `info` is ignored. Each start begins a nonblocking call, which test or
 * wait completes and leaves the request as it is. Ranks may start their requests in any order.
 * Arguments are checked at each start. Buffers, arrays, types and operators must stay until the
 * request is freed; the communicator need not. */
int alltold_bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                       MPI_Info info, alltold_request* request);
int alltold_scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                         MPI_Info info, alltold_request* request);
int alltold_gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                        MPI_Info info, alltold_request* request);
int alltold_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                          alltold_request* request);
int alltold_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                           alltold_request* request);
int alltold_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                           alltold_request* request);
int alltold_reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                        alltold_request* request);
int alltold_allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm, MPI_Info info, alltold_request* request);
int alltold_reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                      MPI_Info info, alltold_request* request);
int alltold_scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, MPI_Info info, alltold_request* request);
int alltold_exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Info info, alltold_request* request);
int alltold_barrier_init(MPI_Comm comm, MPI_Info info, alltold_request* request);
int alltold_gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         int root, MPI_Comm comm, MPI_Info info, alltold_request* request);
int alltold_scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[],
                          MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                          alltold_request* request);
int alltold_alltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                           MPI_Info info, alltold_request* request);
int alltold_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                            alltold_request* request);
int alltold_reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                alltold_request* request);

/* Starts a persistent request. Returns MPI_ERR_REQUEST if it is active or not persistent. Local. */
int alltold_start(alltold_request* request);
/* Frees a persistent request that is not active and sets it to null. All ranks free theirs. */
int alltold_request_free(alltold_request* request);

/* Progresses a request. Sets *flag to 1 once it has completed, and the request to null unless it is
 * persistent. */
int alltold_test(alltold_request* request, int* flag);
/* Waits until a request has completed and sets it to null unless it is persistent. */
int alltold_wait(alltold_request* request);

/* Sets the algorithm that the collectives of `comm` run from now on; every rank passes the same
 * text. `choice` is one of
 *   - an algorithm's name, as `alltold list` prints it, followed by any parameters you want to fix:
 *     "alltoall.rotated window=4", "bcast.chain_segmented segment=8KiB";
 *     alltold fills in the others for each call, from the profile ALLTOLD_PROFILE if it is set;
 *   - "mpi": the MPI library's own collectives;
 *   - "auto": rules choose by collective, message size, number of ranks and clusters. Rules come
 *     from ALLTOLD_RULES (a file name or the rules themselves), then from the profile named by
 *     ALLTOLD_PROFILE, both as set in rank 0's environment. Where no rule applies the MPI library
 *     runs its own collective. For an all-to-all-v, whose sizes no single rank knows, rules see the
 *     number of ranks and clusters only.
 * Returns MPI_ERR_ARG, and changes nothing, for an unknown name, a parameter the algorithm does not
 * take, or missing or invalid rules; alltold_last_error gives the reason. */
int alltold_set_algorithm(MPI_Comm comm, const char* choice);

/* Tells alltold the clusters of `comm`: `count` of them, with the first sizes[0] ranks in cluster
 * 0, the next sizes[1] in cluster 1, and so on. The sizes must add up to the size of `comm`. */
int alltold_set_clusters(MPI_Comm comm, int count, const int sizes[]);
/* The same, but each rank passes the number of its own cluster (0 or more). The ranks of a cluster
 * need not be consecutive. */
int alltold_set_cluster(MPI_Comm comm, int cluster);
/* Tells alltold which ranks share a host: each passes the number of its own (0 or more). Without
 * this call, ranks whose hosts have the same name share one. */
int alltold_set_host(MPI_Comm comm, int host);

/* Why the calling thread's last failed alltold call failed, in one line; empty if MPI itself
 * failed. */
const char* alltold_last_error(void);

#ifdef __cplusplus
}
#endif

#endif

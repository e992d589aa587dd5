/* SPDX-License-Identifier: BSD-3-Clause */
/* alltold's collectives, with the argument lists of MPI.
 *
 * All calls except test and wait are collective over the communicator. Messages travel on a private
 * duplicate of the communicator, made by the first call, and never match the caller's messages.
 * Every call returns MPI_SUCCESS or an MPI error code; the communicator's error handler runs first.
 * Intercommunicators return MPI_ERR_COMM. With MPI_THREAD_MULTIPLE, different threads may use
 * different communicators at the same time.
 */
#ifndef ALLTOLD_ALLTOLD_H
#define ALLTOLD_ALLTOLD_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An active nonblocking collective. Complete it with test or wait before MPI_Finalize. */
typedef struct alltold_request_state* alltold_request;
#define ALLTOLD_REQUEST_NULL ((alltold_request)0)

/* Blocking collectives, with the arguments of MPI_Bcast and so on; MPI_IN_PLACE is allowed. */
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

/* Nonblocking collectives. Do not touch the buffers until the call completes. There is no
 * asynchronous progress: poll alltold_test while computing. */
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

/* Advances a request. When it has completed, *flag is 1 and the request is null. */
int alltold_test(alltold_request* request, int* flag);
/* Waits until a request has completed. */
int alltold_wait(alltold_request* request);

/* Chooses the algorithms for `comm`. Pass the same `choice` on every rank:
 *
 * - an algorithm of `alltold list` with its parameters, such as "alltoall.rotated window=4" or
 *   "bcast.chain_segmented segment=8KiB", for the collectives it implements;
 * - "mpi": the MPI library's own collectives;
 * - "auto": rules choose by collective, size, ranks and clusters. Rank 0 reads them from the
 *   environment: first ALLTOLD_RULES (a file, or the rules themselves), then the profile
 *   ALLTOLD_PROFILE. Where no rule matches, the MPI library's collective runs. The rules for an
 *   all-to-all-v ignore sizes, which no rank knows completely.
 *
 * An unknown name, a parameter the algorithm does not take, and missing or wrong rules return
 * MPI_ERR_ARG and change nothing; alltold_last_error returns the reason. */
int alltold_set_algorithm(MPI_Comm comm, const char* choice);

/* Sets the clusters of `comm`: the first sizes[0] ranks form cluster 0, and so on for `count`
 * clusters. The sizes must add up to the size of `comm`. */
int alltold_set_clusters(MPI_Comm comm, int count, const int sizes[]);
/* The same for ranks in any order: each rank passes its own cluster, any number of at least 0. */
int alltold_set_cluster(MPI_Comm comm, int cluster);

/* One line about this thread's last call that alltold, not MPI, refused. */
const char* alltold_last_error(void);

#ifdef __cplusplus
}
#endif

#endif

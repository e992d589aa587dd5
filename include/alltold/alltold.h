/* SPDX-License-Identifier: BSD-3-Clause */
/* alltold's collectives: MPI's own argument lists, our algorithms.
 *
 * All calls but test and wait are collective over the communicator. Traffic runs on a private
 * duplicate of it, made at the first call, so it can never match the caller's messages.
 * Every call returns MPI_SUCCESS or an MPI error code, after the communicator's error handler ran.
 * Intercommunicators give MPI_ERR_COMM. Thread support is MPI's own: MPI_THREAD_MULTIPLE allows
 * calls on different communicators from different threads.
 */
#ifndef ALLTOLD_ALLTOLD_H
#define ALLTOLD_ALLTOLD_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A nonblocking collective under way. It must be completed by test or wait before MPI_Finalize. */
typedef struct alltold_request_state* alltold_request;
#define ALLTOLD_REQUEST_NULL ((alltold_request)0)

/* Blocking collectives; arguments as in MPI_Bcast and its like, MPI_IN_PLACE included. */
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

/* The same, started and not waited for. Buffers belong to the call until it completes. It moves on
 * only inside alltold calls: test it now and then while computing. */
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

/* Moves a request on; *flag is 1, and the request null, once it has completed. */
int alltold_test(alltold_request* request, int* flag);
/* Moves a request on until it has completed. */
int alltold_wait(alltold_request* request);

/* Chooses what the collectives of `comm` run from now on. `choice` is an algorithm's name, as
 * `alltold list` prints it, with what it takes behind it: "alltoall.rotated window=4",
 * "bcast.chain_segmented segment=8KiB". What it takes and `choice` leaves out is found at each call,
 * by its size and its processes. The same on every rank. "mpi" stands for the library's own of every
 * collective. With "auto" rules choose, by collective, size, processes and clusters alike on all
 * ranks: those of the file ALLTOLD_RULES (or in it), then those of the profile ALLTOLD_PROFILE, as
 * the environment of rank 0 names them; the library's own where no rule says anything. An
 * all-to-all-v, whose sizes one rank cannot know, goes by processes and clusters alone. An unknown
 * name, a parameter the algorithm does not take, rules that are missing or wrong, give MPI_ERR_ARG
 * and changes nothing; alltold_last_error says why. */
int alltold_set_algorithm(MPI_Comm comm, const char* choice);

/* Says which ranks of `comm` share a cluster: `count` clusters, the first sizes[0] ranks in cluster
 * 0 and so on. The sizes must add up to the size of `comm`. */
int alltold_set_clusters(MPI_Comm comm, int count, const int sizes[]);
/* The same, each rank giving its own cluster, any number at least 0; ranks of one cluster need not
 * be neighbours. */
int alltold_set_cluster(MPI_Comm comm, int cluster);

/* One line on the last call of this thread that failed for a reason of alltold's own. */
const char* alltold_last_error(void);

#ifdef __cplusplus
}
#endif

#endif

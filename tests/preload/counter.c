/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool as users have them, to be preloaded: counts what the program calls, by MPI_ functions,
 * and, which tools do not, what goes on behind them, by PMPI_ functions. Rank 0 prints both at the
 * end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include <mpi.h>

static int alltoalls = 0, sends = 0, messages = 0;

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
    ++alltoalls;
    return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    ++sends;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int PMPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    static int (*next)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = NULL;
    if (!next)
        *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    ++messages;
    return next(buffer, count, type, to, tag, comm, request);
}

int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("counter: alltoalls=%d sends=%d behind=%s\n", alltoalls, sends,
               messages > sends ? "some" : "none");
    fflush(stdout);
    return PMPI_Finalize();
}

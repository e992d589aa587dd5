/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of a host exchange 4 MB in a ring and say who they are; then rank 0 sends 1 MB to the last
 * rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
    enum { near_bytes = 4000000, far_bytes = 1000000 };
    int rank = 0, ranks = 0, local = 0, locals = 0;
    char host[256] = "";
    MPI_Comm shared;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
    MPI_Comm_rank(shared, &local);
    MPI_Comm_size(shared, &locals);
    gethostname(host, sizeof host);
    char* to = calloc(2, near_bytes);
    MPI_Sendrecv(to, near_bytes, MPI_CHAR, (local + 1) % locals, 0, to + near_bytes, near_bytes,
                 MPI_CHAR, (local + locals - 1) % locals, 0, shared, MPI_STATUS_IGNORE);
    printf("%d %s %d\n", rank, host, locals);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(to, far_bytes, MPI_CHAR, ranks - 1, 1, MPI_COMM_WORLD);
    if (rank == ranks - 1)
        MPI_Recv(to, far_bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(to);
    MPI_Comm_free(&shared);
    MPI_Finalize();
    return 0;
}

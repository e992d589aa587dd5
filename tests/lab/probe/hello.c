/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank says where it is, once a collective has gone through. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
    int rank = 0, sum = 0;
    char host[256] = "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    gethostname(host, sizeof host);
    printf("%d %s %d\n", rank, host, sum);
    MPI_Finalize();
    return 0;
}

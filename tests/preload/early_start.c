// SPDX-License-Identifier: BSD-3-Clause
// A library that starts MPI in its constructor, which may run before those of a preloaded one, and
// ends it in its destructor.
#include <mpi.h>
#include <stdio.h>

int early_sum(void) {
    int one = 1, sum = 0;
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum;
}

__attribute__((constructor)) static void start(void) {
    MPI_Init(NULL, NULL);
    early_sum();
}

__attribute__((destructor)) static void end(void) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int sum = early_sum();
    if (rank == 0)
        printf(sum == ranks ? "right\n" : "wrong\n");
    MPI_Finalize();
}

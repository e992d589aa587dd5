// SPDX-License-Identifier: BSD-3-Clause
// Ends MPI after main, as static objects of C++ do: late_end atexit|destructor. Prints whether a last reduction was right.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ended;

static double sum_over_ranks(void) {
    double one = 1, sum = 0;
    MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum;
}

static void end(void) {
    if (ended++)
        return;
    int rank = 0, ranks = 0, last = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Reduce(&rank, &last, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    const double sum = sum_over_ranks();
    if (rank == 0)
        printf(sum == ranks && last == ranks - 1 ? "right\n" : "wrong\n");
    MPI_Finalize();
}

/// Runs after all handlers and all static objects of C++.
__attribute__((destructor)) static void at_last(void) {
    end();
}

int main(int argc, char** argv) {
    if (argc > 1 && strcmp(argv[1], "atexit") == 0)
        atexit(end);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; ++i)
        sum_over_ranks();
    return 0;
}

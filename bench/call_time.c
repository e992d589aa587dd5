/* SPDX-License-Identifier: BSD-3-Clause */
/* Time of MPI_Bcast and MPI_Alltoall of 8 bytes, to be run with and without the preload library:
 * mpirun -n 2 bench_call_time; mpirun -n 2 alltold exec --rules "alltoall:1MiB- = alltoall.direct;
 * bcast:1MiB- = bcast.binomial" bench_call_time. The median of several rounds, in ns a call. */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

enum { rounds = 21, calls = 20000 };

static int by_value(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median_ns(void (*call)(void)) {
    double time_ns[rounds];
    for (int round = 0; round < rounds; ++round) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start_s = MPI_Wtime();
        for (int i = 0; i < calls; ++i)
            call();
        time_ns[round] = (MPI_Wtime() - start_s) / calls * 1e9;
    }
    qsort(time_ns, rounds, sizeof *time_ns, by_value);
    return time_ns[rounds / 2];
}

static double value;
static double values[2][64];

static void bcast(void) {
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void alltoall(void) {
    MPI_Alltoall(values[0], 1, MPI_DOUBLE, values[1], 1, MPI_DOUBLE, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double bcast_ns = median_ns(bcast), alltoall_ns = median_ns(alltoall);
    if (rank == 0)
        printf("bcast %.0f ns, alltoall %.0f ns\n", bcast_ns, alltoall_ns);
    MPI_Finalize();
    return 0;
}

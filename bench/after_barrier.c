/* SPDX-License-Identifier: BSD-3-Clause */
/* How far apart ranks leave MPI_Barrier, and how long the slowest then takes for an MPI_Allreduce
 * of 8 B: medians of CALLS (40). Hosts must share a clock, as those of a lab do. With the MPI
 * library's barrier and with alltold's (RULES in docs/results/reductions.md):
 *   alltold lab --clusters 6+6 -- mpirun -n 12 bench_after_barrier [CALLS]
 *   alltold lab --clusters 6+6 -- alltold exec --rules RULES -- mpirun -n 12 bench_after_barrier */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <mpi.h>

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_value(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double* values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int asked = argc > 1 ? atoi(argv[1]) : 0;
    const int calls = asked > 0 ? asked : 40;
    double* apart_s = malloc((size_t)calls * sizeof *apart_s);
    double* slowest_s = malloc((size_t)calls * sizeof *slowest_s);
    if (!apart_s || !slowest_s)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < calls; ++i) {
        long mine = rank, sum;
        MPI_Barrier(MPI_COMM_WORLD);
        const double start_s = now_s();
        MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        const double time_s = now_s() - start_s;
        double first_s, last_s;
        MPI_Reduce(&start_s, &first_s, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
        MPI_Reduce(&start_s, &last_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Reduce(&time_s, slowest_s + i, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        apart_s[i] = last_s - first_s;
    }
    if (rank == 0)
        printf(
            "ranks leave the barrier %.1f ms apart; the slowest takes %.1f ms for the allreduce\n",
            1e3 * median(apart_s, calls), 1e3 * median(slowest_s, calls));
    free(apart_s);
    free(slowest_s);
    MPI_Finalize();
    return 0;
}

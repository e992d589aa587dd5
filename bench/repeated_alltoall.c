/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that makes the same all-to-all again and again, each after a sleep or a barrier: what
 * the first and the second half of the calls take, so that a comparison while it runs shows.
 *   mpirun -n 8 bench_repeated_alltoall BYTES CALLS sleep|barrier
 *   mpirun -n 8 alltold exec --profile net.json -- bench_repeated_alltoall BYTES CALLS sleep
 * Assumes that all ranks share one clock, as in a lab. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All ranks wake 0.25 s after rank 0 came here. */
static void sleep_together(void) {
    double wake_s = now_s() + 0.25;
    MPI_Bcast(&wake_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const double left_s = wake_s - now_s();
    if (left_s > 0) {
        const struct timespec left = {(time_t)left_s,
                                      (long)(1e9 * (left_s - (double)(time_t)left_s))};
        nanosleep(&left, NULL);
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int bytes = argc > 1 ? atoi(argv[1]) : 65536, calls = argc > 2 ? atoi(argv[2]) : 64;
    const int after_barrier = argc > 3 && !strcmp(argv[3], "barrier");
    char* send = calloc((size_t)ranks, (size_t)bytes);
    char* receive = calloc((size_t)ranks, (size_t)bytes);
    double half_s[2] = {0, 0};
    for (int call = 0; call < calls; ++call) {
        if (after_barrier)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            sleep_together();
        const double start_s = MPI_Wtime();
        MPI_Alltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, MPI_COMM_WORLD);
        double time_s = MPI_Wtime() - start_s;
        MPI_Allreduce(MPI_IN_PLACE, &time_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        half_s[call >= calls / 2] += time_s;
    }
    if (rank == 0)
        printf("%d calls of %d B after a %s: first half %.1f ms a call, second half %.1f ms\n",
               calls, bytes, after_barrier ? "barrier" : "sleep", 1e3 * half_s[0] / (calls / 2),
               1e3 * half_s[1] / (calls - calls / 2));
    MPI_Finalize();
    return 0;
}

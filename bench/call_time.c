/* SPDX-License-Identifier: BSD-3-Clause */
/* What the preload library adds to a call that it hands on: the time of MPI_Bcast of 0 bytes, which
 * sends nothing. The least of several rounds, in ns a call. Run it with and without:
 *   mpirun -n 2 bench_call_time
 *   mpirun -n 2 alltold exec --rules "bcast:1MiB- = bcast.binomial" bench_call_time */
#include <stdio.h>

#include <mpi.h>

enum { rounds = 50, calls = 2000 };

int main(int argc, char** argv) {
    int rank;
    double value = 0, least_s = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < rounds; ++round) {
        const double start_s = MPI_Wtime();
        for (int i = 0; i < calls; ++i)
            MPI_Bcast(&value, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        const double time_s = (MPI_Wtime() - start_s) / calls;
        least_s = time_s < least_s ? time_s : least_s;
    }
    if (rank == 0)
        printf("%.0f ns\n", least_s * 1e9);
    MPI_Finalize();
    return 0;
}

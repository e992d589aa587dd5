/* SPDX-License-Identifier: BSD-3-Clause */
/* What the preload library adds to a call that it hands on: the time of MPI_Bcast of BYTES (0 to
 * 64; 0, the default, sends nothing), each rank being root in turn. The least of several rounds, in
 * ns a call; with "multiple" under MPI_THREAD_MULTIPLE. Run it with and without:
 *   mpirun -n 2 bench_call_time [BYTES [multiple]]
 *   mpirun -n 2 alltold exec --rules "bcast:1MiB- = bcast.binomial" bench_call_time [BYTES [multiple]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

enum { rounds = 50, calls = 2000 };

int main(int argc, char** argv) {
    int rank, ranks, provided;
    char value[64] = {0};
    double least_s = 1;
    const int multiple = argc > 2 && strcmp(argv[2], "multiple") == 0;
    const int wanted = multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    if (provided < wanted) {
        fprintf(stderr, "bench_call_time: the MPI library has no MPI_THREAD_MULTIPLE\n");
        MPI_Finalize();
        return 1;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int asked = argc > 1 ? atoi(argv[1]) : 0;
    const int bytes = asked > 0 && asked <= (int)sizeof value ? asked : 0;
    for (int round = 0; round < rounds; ++round) {
        const double start_s = MPI_Wtime();
        for (int i = 0; i < calls; ++i)
            MPI_Bcast(value, bytes, MPI_BYTE, i % ranks, MPI_COMM_WORLD);
        const double time_s = (MPI_Wtime() - start_s) / calls;
        least_s = time_s < least_s ? time_s : least_s;
    }
    if (rank == 0)
        printf("%.0f ns\n", least_s * 1e9);
    MPI_Finalize();
    return 0;
}

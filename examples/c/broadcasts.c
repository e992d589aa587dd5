/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain MPI program, which knows nothing of alltold: broadcasts as a program would make them. */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int bytes = argc > 1 ? atoi(argv[1]) : 262144;
    const int calls = argc > 2 ? atoi(argv[2]) : 40;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char* block = calloc(bytes > 0 ? (size_t)bytes : 1, 1);
    const double start = MPI_Wtime();
    for (int call = 0; call < calls; ++call)
        MPI_Bcast(block, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d broadcasts of %d bytes: %.2f s\n", calls, bytes, MPI_Wtime() - start);
    free(block);
    MPI_Finalize();
    return 0;
}

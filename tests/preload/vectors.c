/* SPDX-License-Identifier: BSD-3-Clause */
/* vectors CALLS [both]: as many all-to-all-v calls; with `both`, every second one is nonblocking.
 * Every rank sends as many bytes, but each of its blocks has a size of its own. */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int calls = argc > 1 ? atoi(argv[1]) : 16;
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const size_t items = (size_t)ranks * (size_t)ranks;
    int *send = calloc(items, sizeof(int)), *receive = calloc(items, sizeof(int));
    int *counts = calloc((size_t)ranks, sizeof(int)), *places = calloc((size_t)ranks, sizeof(int));
    for (int i = 0; i < ranks; ++i) {
        counts[i] = (rank + i) % ranks; /* the same in both directions; 0 to one rank */
        places[i] = i * ranks;
    }
    for (int call = 0; call < calls; ++call) {
        for (int i = 0; i < ranks; ++i)
            for (int j = 0; j < counts[i]; ++j)
                send[places[i] + j] = (rank * ranks + i) * 1000 + call + j;
        if (argc > 2 && call % 2) {
            MPI_Request request;
            MPI_Ialltoallv(send, counts, places, MPI_INT, receive, counts, places, MPI_INT,
                           MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Alltoallv(send, counts, places, MPI_INT, receive, counts, places, MPI_INT,
                          MPI_COMM_WORLD);
        }
        for (int i = 0; i < ranks; ++i)
            for (int j = 0; j < counts[i]; ++j)
                wrong += receive[places[i] + j] != (i * ranks + rank) * 1000 + call + j;
    }
    int all = 0;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return all != 0;
}

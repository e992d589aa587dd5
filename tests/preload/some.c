/* SPDX-License-Identifier: BSD-3-Clause */
/* some CALLS [kill]: as many all-to-alls of 64 B blocks, 16 broadcasts and a ring of messages. With
 * `kill`, rank 1 dies in the middle. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int calls = argc > 1 ? atoi(argv[1]) : 10;
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int* send = calloc((size_t)ranks * 16, sizeof(int));
    int* receive = calloc((size_t)ranks * 16, sizeof(int));
    for (int call = 0; call < calls; ++call) {
        for (int i = 0; i < ranks * 16; ++i)
            send[i] = rank * 1000 + call + i / 16;
        if (argc > 2 && rank == 1 && call == calls / 2)
            raise(SIGKILL);
        MPI_Alltoall(send, 16, MPI_INT, receive, 16, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < ranks * 16; ++i)
            wrong += receive[i] != i / 16 * 1000 + call + rank;
    }
    for (int i = 0; i < 16; ++i) {
        int value = rank == 0 ? i : -1;
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        wrong += value != i;
    }
    int token = rank, got = -1;
    MPI_Request request;
    MPI_Isend(&token, 1, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD, &request);
    MPI_Recv(&got, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong += got != (rank + ranks - 1) % ranks;
    int all = 0;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return all != 0;
}

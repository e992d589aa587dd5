/* SPDX-License-Identifier: BSD-3-Clause */
/* A nonblocking all-to-all of one number per rank, overlapped with computation. */
#include <alltold/alltold.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int* send = malloc((size_t)size * sizeof *send);
    int* receive = malloc((size_t)size * sizeof *receive);
    for (int i = 0; i < size; ++i)
        send[i] = 1000 * rank + i;

    alltold_set_algorithm(MPI_COMM_WORLD, "alltoall.rotated window=2");
    alltold_request request;
    alltold_ialltoall(send, 1, MPI_INT, receive, 1, MPI_INT, MPI_COMM_WORLD, &request);
    double sum = 0; /* compute; alltold_test advances the exchange */
    for (int done = 0, i = 1; !done; ++i) {
        sum += 1.0 / i;
        alltold_test(&request, &done);
    }

    int wrong = 0;
    for (int i = 0; i < size; ++i)
        wrong += receive[i] != 1000 * i + rank;
    if (rank == 0)
        printf("%d ranks, the last one sent us %d\n", size, receive[size - 1]);
    free(send);
    free(receive);
    MPI_Finalize();
    return wrong || sum < 1;
}

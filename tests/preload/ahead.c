// SPDX-License-Identifier: BSD-3-Clause
// ahead: rank 0 starts many nonblocking calls before the other ranks start any, which wait for a
// message that it sends after them. So no call may wait for another rank's. Several shapes, types
// that are freed at once, a communicator that is freed before its calls are complete, and a
// blocking call in between. Prints "right", or what is not.
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

enum { calls = 600, count = 64, rounds = 4 };

static int rank, ranks, wrong;
static int sent[calls][count], received[calls][count], sums[calls][count];
static MPI_Request requests[2 * calls];

static int value(int round, int call, int item) {
    return round * 7919 + call * 31 + item;
}

static void start(MPI_Comm comm, int round, int i) {
    const int root = i % 3 == 0 ? 0 : i % ranks;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int j = 0; j < count; ++j) {
        received[i][j] = rank == root ? value(round, i, j) : -1;
        sent[i][j] = value(round, i, j) + rank;
    }
    MPI_Ibcast(received[i], count / 2, pair, root, comm, &requests[2 * i]);
    MPI_Type_free(&pair);
    MPI_Iallreduce(sent[i], sums[i], i % 2 ? count : 1, MPI_INT, MPI_SUM, comm,
                   &requests[2 * i + 1]);
}

static void check(int round, int i) {
    for (int j = 0; j < count; ++j)
        wrong += received[i][j] != value(round, i, j);
    for (int j = 0; j < (i % 2 ? count : 1); ++j)
        wrong += sums[i][j] != ranks * value(round, i, j) + ranks * (ranks - 1) / 2;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < rounds; ++round) {
        int token = round;
        MPI_Comm comm = MPI_COMM_WORLD;
        if (round == rounds - 1) {
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            for (int i = 0; i < 4; ++i) { // after a nonblocking call a blocking one opens it
                start(comm, round, i);
                MPI_Waitall(2, &requests[2 * i], MPI_STATUSES_IGNORE);
                MPI_Bcast(&token, 1, MPI_INT, 0, comm);
            }
        }
        if (rank > 0)
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < calls; ++i)
            start(comm, round, i);
        if (rank + 1 < ranks)
            MPI_Send(&token, 1, MPI_INT, rank + 1, 5, MPI_COMM_WORLD);
        wrong += token != round;
        for (int i = 0; i < calls; i += 50) // not in the order of the starts
            MPI_Waitall(100, &requests[2 * (calls - 50 - i)], MPI_STATUSES_IGNORE);
        for (int i = 0; i < calls; ++i)
            check(round, i);
        int all = 0;
        MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong = all;
        if (comm != MPI_COMM_WORLD)
            MPI_Comm_free(&comm);
    }
    if (rank == 0)
        printf(wrong ? "%d wrong\n" : "right\n", wrong);
    MPI_Finalize();
    return wrong != 0;
}

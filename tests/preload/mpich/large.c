// SPDX-License-Identifier: BSD-3-Clause
// Collectives in which ranks with an even number call the form for large counts, and the others the
// usual one.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { most = 16, items = 3 };
static int rank, ranks, wrong;
static int sent[most * items], received[most * items];

static void expect(const char* call, int value, int wanted) {
    if (value == wanted)
        return;
    printf("%s on rank %d: %d, wanted %d\n", call, rank, value, wanted);
    wrong = 1;
}

static void fill(void) {
    for (int i = 0; i < most * items; ++i)
        sent[i] = 100 * rank + i;
    memset(received, 0, sizeof received);
}

#define WORLD MPI_COMM_WORLD
#define EITHER(name, ...) (rank % 2 ? MPI_##name(__VA_ARGS__) : MPI_##name##_c(__VA_ARGS__))
#define BOTH(Name, name, value, wanted, ...)                                                       \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        fill();                                                                                    \
        EITHER(Name, __VA_ARGS__, WORLD);                                                          \
        expect(#Name, value, wanted);                                                              \
        fill();                                                                                    \
        EITHER(I##name, __VA_ARGS__, WORLD, &request);                                             \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
        expect("I" #name, value, wanted);                                                          \
    } while (0)

/// The sum at item `item` over the ranks below `below`.
static int sum(int below, int item) {
    return 50 * below * (below - 1) + below * item;
}

static void alltoallv(void) {
    int counts[most], places[most];
    MPI_Count large_counts[most];
    MPI_Aint large_places[most];
    for (int i = 0; i < ranks; ++i) {
        large_counts[i] = counts[i] = items;
        large_places[i] = places[i] = items * i;
    }
    fill();
    if (rank % 2)
        MPI_Alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, WORLD);
    else
        MPI_Alltoallv_c(sent, large_counts, large_places, MPI_INT, received, large_counts,
                        large_places, MPI_INT, WORLD);
    expect("Alltoallv", received[items * (ranks - 1) + 1], 100 * (ranks - 1) + items * rank + 1);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    const int last = ranks - 1, root = rank == 0;
    for (int again = 0; again < 3; ++again) {
        BOTH(Bcast, bcast, sent[1], 1, sent, items, MPI_INT, 0);
        BOTH(Scatter, scatter, received[1], items * rank + 1, sent, items, MPI_INT, received, items,
             MPI_INT, 0);
        BOTH(Gather, gather, received[items * last + 1], root ? 100 * last + 1 : 0, sent, items,
             MPI_INT, received, items, MPI_INT, 0);
        BOTH(Alltoall, alltoall, received[items * last + 1], 100 * last + items * rank + 1, sent,
             items, MPI_INT, received, items, MPI_INT);
        BOTH(Allgather, allgather, received[items * last + 1], 100 * last + 1, sent, items, MPI_INT,
             received, items, MPI_INT);
        BOTH(Reduce, reduce, received[1], root ? sum(ranks, 1) : 0, sent, received, items, MPI_INT,
             MPI_SUM, 0);
        BOTH(Allreduce, allreduce, received[1], sum(ranks, 1), sent, received, items, MPI_INT,
             MPI_SUM);
        BOTH(Reduce_scatter_block, reduce_scatter_block, received[1], sum(ranks, items * rank + 1),
             sent, received, items, MPI_INT, MPI_SUM);
        BOTH(Scan, scan, received[1], sum(rank + 1, 1), sent, received, items, MPI_INT, MPI_SUM);
        BOTH(Exscan, exscan, received[1], root ? 0 : sum(rank, 1), sent, received, items, MPI_INT,
             MPI_SUM);
        alltoallv();
    }
    int any = 0;
    MPI_Reduce_c(&wrong, &any, 1, MPI_INT, MPI_MAX, 0, WORLD);
    if (root)
        printf(any ? "wrong\n" : "right\n");
    MPI_Finalize();
    return any;
}

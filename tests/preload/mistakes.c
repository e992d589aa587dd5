// SPDX-License-Identifier: BSD-3-Clause
// Calls that are wrong on some ranks, where errors return: mistakes KIND... Prints for each
// whether the ranks' calls failed.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { items = 10 };
static int rank, ranks;
static int sent[64 * items], received[64 * items];

/// The root's buffers are the same, for which MPICH does not make the call; its next one is right.
static int aliased(const char* kind) {
    int code;
    const int root = rank == 0;
    for (int right = 0;; ++right) {
        int* into = right ? received : sent;
        if (strcmp(kind, "gather") == 0)
            code = MPI_Gather(sent, 1, MPI_INT, into, 1, MPI_INT, 0, MPI_COMM_WORLD);
        else if (strcmp(kind, "scatter") == 0)
            code = MPI_Scatter(sent, 1, MPI_INT, root ? into : received, 1, MPI_INT, 0,
                               MPI_COMM_WORLD);
        else
            code = MPI_Reduce(sent, root ? into : NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        if (!root || right)
            return code;
        if (code == MPI_SUCCESS)
            return MPI_SUCCESS; // as Open MPI takes it
    }
}

/// Rank 0's two sides, or its and other ranks', differ in size.
static int lengths(const char* kind) {
    const int root = rank == 0;
    if (strcmp(kind, "bcast_long") == 0)
        return MPI_Bcast(sent, root ? items : 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(kind, "bcast_short") == 0)
        return MPI_Bcast(sent, root ? 1 : items, MPI_INT, 0, MPI_COMM_WORLD);
    if (strcmp(kind, "gather_lengths") == 0)
        return MPI_Gather(sent, items, MPI_INT, received, root ? 1 : items, MPI_INT, 0,
                          MPI_COMM_WORLD);
    if (strcmp(kind, "scatter_lengths") == 0)
        return MPI_Scatter(sent, root ? items : 1, MPI_INT, received, 1, MPI_INT, 0,
                           MPI_COMM_WORLD);
    if (strcmp(kind, "allgather_lengths") == 0)
        return MPI_Allgather(sent, root ? 1 : items, MPI_INT, received, items, MPI_INT,
                             MPI_COMM_WORLD);
    if (strcmp(kind, "alltoall_lengths") == 0)
        return MPI_Alltoall(sent, root ? 2 * items : items, MPI_INT, received, items, MPI_INT,
                            MPI_COMM_WORLD);
    if (strcmp(kind, "alltoallv_lengths") == 0) {
        int out[64], in[64], at[64];
        for (int i = 0; i < ranks; ++i)
            out[i] = in[i] = 1, at[i] = items * i;
        out[rank] += rank == 0;
        return MPI_Alltoallv(sent, out, at, MPI_INT, received, in, at, MPI_INT, MPI_COMM_WORLD);
    }
    return MPI_Reduce(sent, received, root ? 1 : items, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int k = 1; k < argc; ++k) {
        const int code = strchr(argv[k], '_') ? lengths(argv[k]) : aliased(argv[k]);
        const int failed = code != MPI_SUCCESS;
        int all[64] = {failed};
        MPI_Gather(&failed, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int i = 0; rank == 0 && i < ranks; ++i)
            printf("%s%s%d", i ? "" : argv[k], i ? " " : ": ", all[i]);
        if (rank == 0)
            printf("\n");
    }
    MPI_Finalize();
    return 0;
}

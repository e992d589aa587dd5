// SPDX-License-Identifier: BSD-3-Clause
// The clusters and hosts of ./run, which the preload library reads from the environment.
#include "tested.h"

void prepare_tested(MPI_Comm comm) {
#ifdef TORTURE_LIBRARY
    int rank = 0, ranks = 0;
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int first = ranks - ranks / 2, cluster = rank >= first;
    const int place = cluster ? rank - first : rank;
    alltold_set_cluster(comm, cluster);
    alltold_set_host(comm,
                     cluster * ranks + (place > 0 ? place - 1 : 0)); // the first two share one
    alltold_set_algorithm(comm, "auto");
#else
    (void)comm;
#endif
}

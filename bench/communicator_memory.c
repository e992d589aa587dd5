/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a communicator on which a program has broadcast 8 bytes, with and without the
 * preload library: how much more of rank 0 is resident after 200 further duplicates of
 * MPI_COMM_WORLD, in bytes for each.
 *   mpirun -n 2 bench_communicator_memory
 *   mpirun -n 2 alltold exec --rules "bcast:1MiB- = bcast.binomial" bench_communicator_memory
 *   mpirun -n 2 alltold exec --rules "bcast:any = bcast.binomial" bench_communicator_memory */
#include <stdio.h>
#include <unistd.h>

#include <mpi.h>

enum { first = 20, counted = 200 };

static long resident_bytes(void) {
    long all = 0, resident = 0;
    FILE* const file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld %ld", &all, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

int main(int argc, char** argv) {
    int rank;
    char value[8] = {0};
    long before = 0;
    MPI_Comm comms[first + counted];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < first + counted; ++i) {
        if (i == first) /* what is made once is there */
            before = resident_bytes();
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        MPI_Bcast(value, (int)sizeof value, MPI_BYTE, 0, comms[i]);
    }
    if (rank == 0)
        printf("%ld bytes a communicator\n", (resident_bytes() - before) / counted);
    for (int i = 0; i < first + counted; ++i)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* More communicators, and more persistent calls on one of them, than there are tags for where all
   share a communicator (MPI_THREAD_MULTIPLE). */
#include <stdio.h>
#include <unistd.h>

#include "persistent_bcast.h"

enum { comms = 1100, requests = 250 };

static MPI_Comm all[comms];
static int rank, wrong;

static int value_of(int number) {
    return rank == number % 2 ? number : -1;
}

static void call_on_each(void) {
    for (int i = 0; i < comms; ++i) {
        int value = value_of(i);
        MPI_Bcast(&value, 1, MPI_INT, i % 2, all[i]);
        wrong += value != i;
    }
}

static void call_many_at_once(MPI_Comm comm) {
#if HAS_PERSISTENT
    MPI_Request open[requests];
    int values[requests];
    for (int i = 0; i < requests; ++i)
        MPI_Bcast_init(&values[i], 1, MPI_INT, i % 2, comm, MPI_INFO_NULL, &open[i]);
    for (int start = 0; start < 2; ++start) {
        for (int i = 0; i < requests; ++i)
            values[i] = value_of(i);
        MPI_Startall(requests, open);
        MPI_Waitall(requests, open, MPI_STATUSES_IGNORE);
        for (int i = 0; i < requests; ++i)
            wrong += values[i] != i;
    }
    for (int i = 0; i < requests; ++i)
        MPI_Request_free(&open[i]);
#else
    (void)comm;
#endif
}

int main(int argc, char** argv) {
    int provided, sum = 0;
    alarm(120);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 2; ++round) { /* what is freed is used again */
        for (int i = 0; i < comms; ++i)
            MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
        call_on_each();
        call_many_at_once(all[0]);
        for (int i = 0; i < comms; ++i)
            MPI_Comm_free(&all[i]);
    }
    MPI_Allreduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", sum);
    MPI_Finalize();
    return sum != 0;
}

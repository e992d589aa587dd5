/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on a communicator while other threads make communicators whose ranks overlap: what we make
   for the call must not wait for those, which wait for the call. Three ranks. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "persistent_bcast.h"

static MPI_Comm first, second, pair;
static int rank, wrong;

static void call_on_pair(int persistent) {
    int value = rank == 0 ? 7 : -1;
#if HAS_PERSISTENT
    MPI_Request request;
    if (persistent) {
        MPI_Bcast_init(&value, 1, MPI_INT, 0, pair, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
#endif
    if (!persistent)
        MPI_Bcast(&value, 1, MPI_INT, 0, pair);
    wrong += value != 7;
}

/* Rank 1 waits for the others in a duplicate of the older communicator, and they come to it only
   after a call on `pair`. */
static void work(int persistent) {
    MPI_Comm made;
    if (rank != 1) {
        sleep(2);
        call_on_pair(persistent);
    }
    MPI_Comm_dup(first, &made);
    MPI_Comm_free(&made);
}

/* Meanwhile all make one of the younger. */
static void* make_another(void* unused) {
    MPI_Comm made;
    sleep(1);
    MPI_Comm_dup(second, &made);
    MPI_Comm_free(&made);
    return unused;
}

int main(int argc, char** argv) {
    const int persistent = argc > 1 && strcmp(argv[1], "persistent") == 0;
    int provided, all = 0;
    pthread_t thread;
    alarm(60);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, 0, &pair);
    if (provided == MPI_THREAD_MULTIPLE) {
        pthread_create(&thread, NULL, make_another, NULL);
        work(persistent);
        pthread_join(thread, NULL);
    }
    MPI_Comm_free(&pair);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return all != 0;
}

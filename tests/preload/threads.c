/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of several threads at once, each on a communicator of its own, blocking and not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

enum { threads = 4, calls = 60, count = 200, in_flight = 3 };

struct Task {
    pthread_t thread;
    MPI_Comm comm;
    int number, wrong;
};

static void* work(void* argument) {
    struct Task* task = argument;
    int rank, ranks;
    MPI_Comm_rank(task->comm, &rank);
    MPI_Comm_size(task->comm, &ranks);
    const int all = ranks * count;
    int* send = malloc((size_t)all * in_flight * sizeof(int));
    int* receive = malloc((size_t)all * in_flight * sizeof(int));
    for (int call = 0; call < calls; ++call) {
        const int salt = task->number * 1000 + call;
        for (int i = 0; i < all * in_flight; ++i) {
            send[i] = rank * 100000 + salt + i % all / count;
            receive[i] = -1;
        }
        if (call % 2) {
            MPI_Request requests[in_flight];
            for (int i = 0; i < in_flight; ++i)
                MPI_Ialltoall(send + i * all, count, MPI_INT, receive + i * all, count, MPI_INT,
                              task->comm, &requests[i]);
            MPI_Waitall(in_flight, requests, MPI_STATUSES_IGNORE);
        } else {
            for (int i = 0; i < in_flight; ++i)
                MPI_Alltoall(send + i * all, count, MPI_INT, receive + i * all, count, MPI_INT,
                             task->comm);
        }
        for (int i = 0; i < all * in_flight; ++i)
            task->wrong += receive[i] != i % all / count * 100000 + salt + rank;
        int value = rank == call % ranks ? salt : -1;
        MPI_Bcast(&value, 1, MPI_INT, call % ranks, task->comm);
        task->wrong += value != salt;
    }
    free(send);
    free(receive);
    return NULL;
}

int main(int argc, char** argv) {
    int provided, rank, wrong = 0;
    struct Task tasks[threads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < threads; ++i) {
        tasks[i] = (struct Task){.number = i, .wrong = 0};
        MPI_Comm_dup(MPI_COMM_WORLD, &tasks[i].comm);
    }
    for (int i = 0; i < threads; ++i) {
        if (provided == MPI_THREAD_MULTIPLE)
            pthread_create(&tasks[i].thread, NULL, work, &tasks[i]);
        else
            work(&tasks[i]);
    }
    for (int i = 0; i < threads; ++i) {
        if (provided == MPI_THREAD_MULTIPLE)
            pthread_join(tasks[i].thread, NULL);
        wrong += tasks[i].wrong;
        MPI_Comm_free(&tasks[i].comm);
    }
    int all = 0;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return all != 0;
}

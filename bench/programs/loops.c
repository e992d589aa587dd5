// SPDX-License-Identifier: BSD-3-Clause
// loops COLLECTIVE BYTES PATTERN ROOT CALLS [COMM]: a loop of CALLS calls with blocks of BYTES, as
// programs make them.
//   COLLECTIVE  such as bcast, or ibcast: nonblocking, with the work between start and wait
//   PATTERN  none, TIME, TIME,exponential, TIME,busy or sync: what each rank does with each call;
//            TIME is work in ms, for which it sleeps or, where busy, computes a fixed amount, which
//            takes about that long
//   ROOT     fixed, or moving on by one each call
//   CALLS    0: doubles the number until the loop takes a second, and prints calls a second
//   COMM     world, or columns: as many communicators as a host has ranks, all in the loop at once,
//            each with one rank of every host
// Prints the wall time of the slowest rank, and a sum over what all ranks received last.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>

static MPI_Comm comm = MPI_COMM_WORLD;
static int rank, ranks, count;
static char *mine, *received;

#define CALL(name, Name, ...)                                                                      \
    (request ? MPI_I##name(__VA_ARGS__, comm, request) : MPI_##Name(__VA_ARGS__, comm))

/// Nonblocking if there is a request.
static void call(const char* name, int root, MPI_Request* request) {
    if (strcmp(name, "bcast") == 0)
        CALL(bcast, Bcast, received, count, MPI_INT, root);
    else if (strcmp(name, "reduce") == 0)
        CALL(reduce, Reduce, mine, received, count, MPI_INT, MPI_SUM, root);
    else if (strcmp(name, "scatter") == 0)
        CALL(scatter, Scatter, mine, count, MPI_INT, received, count, MPI_INT, root);
    else if (strcmp(name, "gather") == 0)
        CALL(gather, Gather, mine, count, MPI_INT, received, count, MPI_INT, root);
    else if (strcmp(name, "alltoall") == 0)
        CALL(alltoall, Alltoall, mine, count, MPI_INT, received, count, MPI_INT);
    else if (strcmp(name, "allgather") == 0)
        CALL(allgather, Allgather, mine, count, MPI_INT, received, count, MPI_INT);
    else if (strcmp(name, "allreduce") == 0)
        CALL(allreduce, Allreduce, mine, received, count, MPI_INT, MPI_SUM);
    else if (strcmp(name, "reduce_scatter_block") == 0)
        CALL(reduce_scatter_block, Reduce_scatter_block, mine, received, count, MPI_INT, MPI_SUM);
    else if (strcmp(name, "scan") == 0)
        CALL(scan, Scan, mine, received, count, MPI_INT, MPI_SUM);
    else
        MPI_Abort(MPI_COMM_WORLD, 2);
}

static double uniform(uint64_t* state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/// Asleep, since ranks of a lab share the processors that each host would have for itself.
static void work(double work_s) {
    struct timespec left = {(time_t)work_s, (long)(1e9 * (work_s - (double)(time_t)work_s))};
    while (nanosleep(&left, &left) != 0) {
    }
}

/// An amount and not a time, so that it takes longer where something else has the processor.
static void compute(double work_s) {
    volatile double sink = 1;
    double value = sink;
    for (long left = (long)(work_s * 4e8); left > 0; --left)
        value = value * 0.9999999 + 1e-7;
    sink = value;
}

/// Seconds that the slowest rank takes; ranks draw equal work in equal loops.
static double loop(const char* name, const char* pattern, int moving, long calls) {
    const double work_s = atof(pattern) * 1e-3;
    const int busy = strstr(pattern, "busy") != NULL;
    const int exponential = strstr(pattern, "exponential") != NULL;
    const int sync = strcmp(pattern, "sync") == 0, nonblocking = name[0] == 'i';
    uint64_t state = (uint64_t)rank << 32;
    double one = 1, sum = 0, most_s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double began_s = MPI_Wtime();
    for (long i = 0; i < calls; ++i) {
        MPI_Request request;
        if (nonblocking)
            call(name + 1, moving ? (int)(i % ranks) : 0, &request);
        if (busy)
            compute(work_s);
        else if (work_s > 0)
            work(exponential ? -work_s * log(1 - uniform(&state)) : work_s);
        if (nonblocking)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        else
            call(name, moving ? (int)(i % ranks) : 0, NULL);
        if (sync)
            MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    }
    const double took_s = MPI_Wtime() - began_s;
    MPI_Allreduce(&took_s, &most_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most_s;
}

static void split_into_columns(void) {
    MPI_Comm host;
    int column = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &column);
    MPI_Comm_free(&host);
    MPI_Comm_split(MPI_COMM_WORLD, column, rank, &comm);
    MPI_Comm_size(comm, &ranks);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 6 && argc != 7) {
        fprintf(stderr, "loops COLLECTIVE BYTES PATTERN ROOT CALLS [COMM]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (argc == 7 && strcmp(argv[6], "columns") == 0)
        split_into_columns();
    const int moving = strcmp(argv[4], "moving") == 0;
    const long calls = atol(argv[5]);
    count = atoi(argv[2]) / (int)sizeof(int);
    const size_t values = (size_t)count * (size_t)ranks;
    mine = calloc(values, sizeof(int));
    received = calloc(values, sizeof(int));
    for (size_t i = 0; i < values; ++i)
        ((int*)mine)[i] = ((int*)received)[i] = rank * 1000 + (int)(i % 997);
    if (calls == 0) {
        long n = 4;
        double took_s = loop(argv[1], argv[3], moving, n); // equal on all ranks
        for (took_s = 0; took_s < 1; n *= 2)
            took_s = loop(argv[1], argv[3], moving, n);
        if (rank == 0)
            printf("{\"calls_per_s\":%.6g}\n", (double)(n / 2) / took_s);
    } else {
        const double took_s = loop(argv[1], argv[3], moving, calls);
        int sum = 0, of_all = 0;
        for (size_t i = 0; i < values; ++i)
            sum = (int)((unsigned)sum * 31 + (unsigned)((int*)received)[i]);
        MPI_Allreduce(&sum, &of_all, 1, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
        if (rank == 0)
            printf("{\"calls\":%ld,\"wall_s\":%.6f,\"check\":%d}\n", calls, took_s, of_all);
    }
    free(mine);
    free(received);
    MPI_Finalize();
    return 0;
}

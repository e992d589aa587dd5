/* SPDX-License-Identifier: BSD-3-Clause */
/* persistent [with|with-truncated]: persistent collectives of a plain MPI program, started again
 * and again in an order that differs from rank to rank, many at a time, with types that are freed
 * after the init where alltold is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>
#if OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif

/* Open MPI's own persistent calls end in a segmentation fault after their type or communicator was
 * freed. From Open MPI 5 on those of all-to-all-v are its own, whatever the rules say. */
#if OMPI_MAJOR_VERSION < 5
enum { vectors_are_ours = 1 };
#else
enum { vectors_are_ours = 0 };
#endif

enum { kinds = 8, many = 80, cycles = 3, rounds = 3, most_ranks = 16, items = 5 };

static int failures = 0, with_us = 0;

struct Call {
    int kind, root;
    int rank, ranks;
    int send[most_ranks * items * 2], receive[most_ranks * items * 2];
    MPI_Request request;
};

/* What `from` sends to `to` in place `i` of cycle `cycle` of call `number`. */
static int item(int from, int to, int i, int cycle, int number) {
    return ((from * 31 + to) * 31 + i) * 31 * 31 + cycle * 100003 + number;
}

/* A block is `items` ints, each followed by one that nobody touches. */
static MPI_Datatype block_type(void) {
    MPI_Datatype vector, block;
    MPI_Type_vector(items, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 2 * items * (MPI_Aint)sizeof(int), &block);
    MPI_Type_free(&vector);
    MPI_Type_commit(&block);
    return block;
}

static void make(struct Call* call, MPI_Comm comm, int number) {
    MPI_Datatype block = block_type();
    static int counts[most_ranks], places[most_ranks]; /* until the request is freed */
    MPI_Comm_rank(comm, &call->rank);
    MPI_Comm_size(comm, &call->ranks);
    call->kind = number % kinds;
    call->root = number % call->ranks;
    for (int i = 0; i < call->ranks; ++i)
        counts[i] = 1, places[i] = i;
    int *send = call->send, *receive = call->receive;
    MPI_Request* request = &call->request;
    switch (call->kind) {
    case 0:
        INIT(Bcast)(receive, 1, block, call->root, comm, MPI_INFO_NULL, request);
        break;
    case 1:
        INIT(Scatter)(send, 1, block, receive, 1, block, call->root, comm, MPI_INFO_NULL, request);
        break;
    case 2:
        INIT(Gather)(send, 1, block, receive, 1, block, call->root, comm, MPI_INFO_NULL, request);
        break;
    case 3:
        INIT(Alltoall)(send, 1, block, receive, 1, block, comm, MPI_INFO_NULL, request);
        break;
    case 4:
        INIT(Alltoallv)
        (send, counts, places, block, receive, counts, places, block, comm, MPI_INFO_NULL, request);
        break;
    case 5:
        INIT(Allgather)(send, 1, block, receive, 1, block, comm, MPI_INFO_NULL, request);
        break;
    case 6:
        INIT(Reduce)
        (send, receive, 2 * items, MPI_INT, MPI_SUM, call->root, comm, MPI_INFO_NULL, request);
        break;
    default:
        INIT(Barrier)(comm, MPI_INFO_NULL, request);
    }
    if (with_us && (vectors_are_ours || call->kind != 4))
        MPI_Type_free(&block);
}

static void put(int* buffer, int place, int from, int to, int cycle, int number) {
    for (int i = 0; i < items; ++i)
        buffer[2 * (place * items + i)] = item(from, to, i, cycle, number);
}

static void fill(struct Call* call, int cycle, int number) {
    memset(call->send, -1, sizeof call->send);
    memset(call->receive, -1, sizeof call->receive);
    if (call->kind == 0 && call->rank == call->root)
        put(call->receive, 0, call->root, 0, cycle, number);
    else if (call->kind == 2 || call->kind == 5 || call->kind == 6)
        put(call->send, 0, call->rank, call->root, cycle, number);
    else
        for (int to = 0; call->kind && to < call->ranks; ++to)
            put(call->send, to, call->rank, to, cycle, number);
}

static void check(struct Call* call, int cycle, int number) {
    int expected[most_ranks * items * 2];
    memset(expected, -1, sizeof expected);
    if (call->kind == 0)
        put(expected, 0, call->root, 0, cycle, number);
    else if (call->kind == 1)
        put(expected, 0, call->root, call->rank, cycle, number);
    else if (call->kind == 5)
        for (int from = 0; from < call->ranks; ++from)
            put(expected, from, from, call->root, cycle, number);
    else if (call->kind == 6 && call->rank == call->root)
        for (int i = 0; i < 2 * items; ++i) {
            expected[i] = i % 2 ? -call->ranks : 0;
            for (int from = 0; i % 2 == 0 && from < call->ranks; ++from)
                expected[i] += item(from, call->root, i / 2, cycle, number);
        }
    else if (call->kind == 3 || call->kind == 4 || (call->kind == 2 && call->rank == call->root))
        for (int from = 0; from < call->ranks; ++from)
            put(expected, from, from, call->rank, cycle, number);
    if (memcmp(expected, call->receive, sizeof expected) && ++failures < 10)
        fprintf(stderr, "rank %d of %d: wrong: call %d of kind %d in cycle %d\n", call->rank,
                call->ranks, number, call->kind, cycle);
}

/* Starts all, from another one on each rank, and waits for them in several ways. */
static void run(struct Call* calls, int cycle) {
    MPI_Request requests[many];
    const int first = calls[0].rank * 13 % many;
    for (int i = 0; i < many; ++i) {
        fill(&calls[i], cycle, i);
        requests[i] = calls[i].request;
    }
    MPI_Startall(many - first, requests + first);
    for (int i = 0; i < first; ++i)
        MPI_Start(&requests[i]);
    MPI_Wait(&requests[7], MPI_STATUS_IGNORE);
    MPI_Waitall(many / 2, requests, MPI_STATUSES_IGNORE);
    for (int done = 0; !done;)
        MPI_Testall(many, requests, &done, MPI_STATUSES_IGNORE);
    for (int i = 0; i < many; ++i) {
        if (requests[i] == MPI_REQUEST_NULL && ++failures < 10)
            fprintf(stderr, "a persistent request is gone\n");
        calls[i].request = requests[i];
        check(&calls[i], cycle, i);
    }
}

/* Half of the requests are freed and made again, from another one on each rank. */
static void all_of(MPI_Comm comm) {
    struct Call* calls = calloc(many, sizeof *calls);
    MPI_Comm own;
    int rank, ranks;
    MPI_Comm_dup(comm, &own);
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &ranks);
    for (int i = 0; i < many; ++i)
        make(&calls[i], own, i);
    for (int round = 0; round < rounds; ++round) {
        for (int cycle = 0; cycle < cycles; ++cycle)
            run(calls, round * cycles + cycle);
        for (int i = 0; i < many / 2; ++i)
            MPI_Request_free(&calls[(i + rank) % (many / 2)].request);
        for (int i = 0; i < many / 2; ++i)
            make(&calls[i], own, i);
    }
    const int early = with_us && vectors_are_ours;
    if (early)
        MPI_Comm_free(&own);
    run(calls, rounds * cycles);
    for (int i = 0; i < many; ++i)
        MPI_Request_free(&calls[i].request);
    if (!early)
        MPI_Comm_free(&own);
    free(calls);
}

static int handled;

static void handle(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    ++handled;
}

/* More comes than the counts of the receiver allow, which its MPI_Wait says, to the communicator's
   error handler as well. */
static void truncated(void) {
    MPI_Comm own;
    MPI_Request request;
    MPI_Errhandler handler;
    int send[most_ranks] = {0}, receive[most_ranks], two[most_ranks], one[most_ranks],
        places[most_ranks] = {0}, rank, ranks, class = MPI_SUCCESS;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(own, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &ranks);
    for (int i = 0; i < ranks; ++i)
        two[i] = i == 0 ? 2 : 1, one[i] = 1;
    INIT(Alltoallv)
    (send, rank ? two : one, places, MPI_INT, receive, one, places, MPI_INT, own, MPI_INFO_NULL,
     &request);
    MPI_Start(&request);
    MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &class);
    if (rank == 0 && class != MPI_ERR_TRUNCATE && ++failures)
        fprintf(stderr, "more than was allowed came, and the class of the error is %d\n", class);
    if (handled != (rank == 0) && ++failures)
        fprintf(stderr, "the error handler was called %d times\n", handled);
    if (request != MPI_REQUEST_NULL) /* Open MPI frees those that fail */
        MPI_Request_free(&request);
    MPI_Comm_free(&own);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    with_us = argc > 1;
    int rank, all = 0;
    MPI_Comm other;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    all_of(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other); /* reversed */
    all_of(other);
    MPI_Comm_free(&other);
    if (vectors_are_ours && argc > 1 && !strcmp(argv[1], "with-truncated"))
        truncated();
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return all ? 1 : 0;
}

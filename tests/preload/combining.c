/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather, reductions and barrier of a plain MPI program, in every form and with operators of its
 * own, compared with the MPI library's own as random calls are (see torture). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torture/call.h"
#include "torture/library.h"

static int failures = 0;

static void expect(int holds, const char* what, MPI_Comm comm) {
    int rank;
    if (holds)
        return;
    MPI_Comm_rank(comm, &rank);
    if (++failures < 10)
        fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
}

/* Runs a call, a persistent one twice, and compares it. */
static void run_to_end(Call* call) {
    for (int cycle = 0; cycle < (call->form == persistent ? 2 : 1); ++cycle) {
        run_call(call);
        if (call->form != blocking)
            MPI_Wait(&call->request, MPI_STATUS_IGNORE);
        verify_call(call);
    }
    free_call(call);
}

static void all_of(MPI_Comm comm) {
    static const int counts[] = {0, 1, 3, 250, 3000};
    const int forms = has_persistent() ? form_count : persistent;
    int number = 0;
    for (int collective = allgather; collective < barrier; ++collective)
        for (int way = 0; way < 2 * forms * 5; ++way) {
            const int form = way / 2 % forms, count = counts[way / 2 / forms];
            const int operators =
                reduces(collective) ? 2 : 1; /* all of them in all ways together */
            for (int i = 0; i < operators; ++i) {
                Call* call = bare_call(collective, form, way % 2, way + i, comm);
                call->number = ++number;
                if (reduces(collective))
                    make_operands(call, operator_number((way + 4 * i) % operator_count), count);
                else {
                    const Item item = {count % 2 ? spaced : plain, 1}, whole = {contiguous, 1};
                    if (!call->in_place)
                        make_side(&call->send, item, MPI_INT, count, 1, count % 2);
                    make_side(&call->receive, whole, MPI_INT, count, call->size, 0);
                }
                run_to_end(call);
            }
        }
}

/* What a program may free at once: the library has it until the call is complete. */
static void freed_early(MPI_Comm comm) {
    int rank, ranks, value, sum = -1, own = -1;
    const Operator* with = operator_number(6);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    value = rank + 1;
    MPI_Datatype type;
    MPI_Type_dup(with->type, &type);
    unsigned pair[2] = {3, (unsigned)rank}, composed[2] = {0, 0}, wanted[2] = {0, 0};
    MPI_Request requests[3];
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    MPI_Iscan(pair, composed, 1, type, with->op, comm, &requests[1]);
    MPI_Ireduce_scatter_block(MPI_IN_PLACE, &value, 0, MPI_INT, MPI_SUM, comm, &requests[2]);
    MPI_Type_free(&type);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    library()->Scan(pair, wanted, 1, with->type, with->op, comm);
    expect(sum == ranks * (ranks + 1) / 2, "MPI_Iallreduce", comm);
    expect(!memcmp(composed, wanted, sizeof wanted), "MPI_Iscan with a type that was freed", comm);
    MPI_Exscan(&value, &own, 1, MPI_INT, MPI_SUM, comm);
    expect(own == (rank ? rank * (rank + 1) / 2 : -1), "MPI_Exscan", comm);
}

/* A count in memory that all ranks share: nobody leaves a barrier before all have come. */
static void barriers(MPI_Comm comm) {
    int rank, ranks, unit;
    long* mine;
    long* count;
    MPI_Aint bytes;
    MPI_Win window;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Win_allocate_shared(rank ? 0 : sizeof(long), 1, MPI_INFO_NULL, comm, &mine, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &count);
    if (rank == 0)
        *count = 0;
    library()->Barrier(comm);
    for (int i = 1; i <= 30; ++i) {
        MPI_Request request;
        if (i % ranks == rank)
            usleep(1000);
        __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
        if (i % 3) {
            MPI_Barrier(comm);
        } else {
            MPI_Ibarrier(comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        expect(__atomic_load_n(count, __ATOMIC_SEQ_CST) >= (long)i * ranks, "MPI_Barrier", comm);
    }
    library()->Barrier(comm);
    MPI_Win_free(&window);
}

/* Many calls of a shape, through several comparisons: sums of doubles have the same bits always. */
static void repeated(MPI_Comm comm) {
    int rank, ranks;
    double value[4], sum[4], first[4];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < 4; ++i)
        value[i] = 1.0 / (3 + 7 * rank + i);
    for (int call = 0; call < 200; ++call) {
        int one = call + rank, all = -1, blocks[64];
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm);
        expect(all == ranks * call + ranks * (ranks - 1) / 2, "one of many MPI_Allreduce", comm);
        MPI_Allgather(&one, 1, MPI_INT, blocks, 1, MPI_INT, comm);
        expect(blocks[ranks - 1] == call + ranks - 1, "one of many MPI_Allgather", comm);
        MPI_Allreduce(value, sum, 4, MPI_DOUBLE, MPI_SUM, comm);
        if (call == 0)
            memcpy(first, sum, sizeof first);
        expect(!memcmp(first, sum, sizeof sum), "a sum of doubles has other bits now", comm);
        MPI_Barrier(comm);
    }
}

/* Errors of the same class as the library's own, and calls after them that work. */
static void errors(MPI_Comm comm) {
    MPI_Comm own;
    MPI_Errhandler before;
    double buffer[64] = {0}, *into = buffer + 32;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* Open MPI gives some to it */
    MPI_Comm_dup(comm, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MPI_Barrier(own);
#define ALIKE(Name, ...)                                                                           \
    do {                                                                                           \
        int class = MPI_SUCCESS, wanted = MPI_SUCCESS;                                             \
        MPI_Error_class(library()->Name(__VA_ARGS__), &wanted);                                    \
        MPI_Error_class(MPI_##Name(__VA_ARGS__), &class);                                          \
        expect(wanted != MPI_SUCCESS && class == wanted, "the error of " #Name "(" #__VA_ARGS__,   \
               own);                                                                               \
    } while (0)
    ALIKE(Allreduce, buffer, into, 1, MPI_INT, MPI_OP_NULL, own);
    ALIKE(Allreduce, buffer, into, 1, MPI_DOUBLE, MPI_BAND, own);
#ifndef MPICH_VERSION /* 4.0 runs it, into a segmentation fault */
    ALIKE(Allreduce, buffer, into, -1, MPI_INT, MPI_SUM, own);
#endif
    ALIKE(Allreduce, buffer, into, 1, MPI_DATATYPE_NULL, MPI_SUM, own);
    ALIKE(Allreduce, buffer, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, own);
    ALIKE(Allreduce, buffer, into, 1, operator_number(6)->type, MPI_SUM, own);
    ALIKE(Reduce, buffer, into, 1, MPI_INT, MPI_SUM, 1000, own);
    ALIKE(Reduce, buffer, into, 1, MPI_INT, MPI_MAXLOC, 0, own);
    ALIKE(Scan, buffer, into, 1, MPI_INT, MPI_OP_NULL, own);
    ALIKE(Exscan, buffer, into, 1, MPI_DOUBLE, MPI_BOR, own);
    ALIKE(Reduce_scatter_block, buffer, into, 1, MPI_DATATYPE_NULL, MPI_SUM, own);
    ALIKE(Allgather, buffer, -1, MPI_INT, into, 1, MPI_INT, own);
    ALIKE(Allgather, buffer, 1, MPI_INT, into, 1, MPI_DATATYPE_NULL, own);
#undef ALIKE
    freed_early(own);
    MPI_Comm_free(&own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    MPI_Errhandler_free(&before);
}

/* The same memory to send and to receive: what a library takes is right, and what it refuses is
 * refused. */
static void same_memory(MPI_Comm comm) {
    MPI_Comm own;
    MPI_Errhandler before;
    int rank, ranks, class = MPI_SUCCESS, buffer[4096], right = 1;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(comm, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &ranks);
    for (int i = 0; i < 4096; ++i)
        buffer[i] = rank + i;
    MPI_Barrier(own);
    MPI_Error_class(MPI_Allreduce(buffer, buffer, 4096, MPI_INT, MPI_SUM, own), &class);
    expect(class == MPI_ERR_BUFFER, "MPI_Allreduce from a buffer to itself", comm);
    for (int i = 0; i < 4096; ++i)
        buffer[i] = rank + i;
    MPI_Error_class(MPI_Scan(buffer, buffer, 4096, MPI_INT, MPI_SUM, own), &class);
#ifdef MPICH_VERSION
    expect(class == MPI_ERR_BUFFER, "MPI_Scan from a buffer to itself", comm);
#else
    for (int i = 0; i < 4096; ++i)
        right = right && buffer[i] == (rank + 1) * i + rank * (rank + 1) / 2;
    expect(class == MPI_SUCCESS && right, "MPI_Scan from a buffer to itself", comm);
    MPI_Error_class(MPI_Reduce(buffer, rank ? NULL : buffer, 1, MPI_INT, MPI_SUM, 0, own), &class);
    expect(class == (rank ? MPI_SUCCESS : MPI_ERR_ARG), "MPI_Reduce from a buffer to itself", comm);
#endif
    (void)right;
    library()->Barrier(comm);
    MPI_Comm_free(&own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    MPI_Errhandler_free(&before);
}

static void intercommunicator(void) {
    int rank, ranks, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm half, inter;
    const int side = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 9, &inter);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
    int wanted = 0;
    for (int i = 1 - side; i < ranks; i += 2)
        wanted += i;
    expect(sum == wanted, "MPI_Allreduce between two groups", MPI_COMM_WORLD);
    MPI_Barrier(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, all = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm other;
    barriers(MPI_COMM_WORLD);
    all_of(MPI_COMM_WORLD);
    freed_early(MPI_COMM_WORLD);
    repeated(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other); /* reversed */
    barriers(other);
    all_of(other);
    freed_early(other);
    MPI_Comm_free(&other);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &other); /* every other one */
    all_of(other);
    MPI_Comm_free(&other);
    intercommunicator();
    errors(MPI_COMM_WORLD);
    if (argc > 1) /* not on the library alone, of which some ranks might wait for ever */
        same_memory(MPI_COMM_WORLD);
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return all ? 1 : 0;
}

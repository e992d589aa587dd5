// SPDX-License-Identifier: BSD-3-Clause
// torture SEED CALLS [THREADS [FORMS]]: random collective calls of a plain MPI program, each
// compared byte for byte with what PMPI gives. The library's own collectives pass; whatever is
// loaded in front of them must too. With THREADS above 1, as many threads do CALLS each at the same
// time. FORMS: all (default) or blocking, for a library whose other forms fail.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "communicators.h"
#include "pending.h"

enum { persistent_count = 4, most_threads = 8 };

typedef struct {
    MPI_Comm parent;
    uint64_t seed;
    int calls;
    int blocking_only;
    long done[collective_count][form_count];
} Stream;

typedef struct {
    Communicators communicators;
    PendingCalls pending;
    Call* kept[persistent_count]; ///< persistent calls, to be started again
    Random shared;                ///< draws the same on every rank
    Random own;
} State;

static void forget_kept(State* state, int i) {
    if (!state->kept[i])
        return;
    finish(&state->pending, state->kept[i]);
    free_call(state->kept[i]);
    state->kept[i] = NULL;
}

/// Frees a communicator and makes another, often with calls on the freed one still under way.
static void change_communicator(State* state) {
    const int slot = below(&state->shared, communicator_count);
    const int finish_first = !one_in(&state->shared, 4);
    const MPI_Comm comm = state->communicators.comms[slot];
    for (int i = 0; i < persistent_count; ++i)
        if (state->kept[i] && state->kept[i]->comm == comm)
            forget_kept(state, i);
    if (finish_first)
        finish_all(&state->pending, &state->own);
    else
        finish_fragile(&state->pending, comm);
    replace_communicator(&state->communicators, &state->shared, slot);
}

static void start_kept(State* state, uint64_t seed, int number) {
    const int i = below(&state->shared, persistent_count);
    const int slot = below(&state->shared, communicator_count);
    const int fresh = one_in(&state->shared, 4);
    Random shared = derived(seed, (uint64_t)number, 3u << 30);
    if (fresh)
        forget_kept(state, i);
    if (fresh && state->communicators.comms[slot] != MPI_COMM_NULL)
        state->kept[i] =
            new_call(&shared, seed, number, state->communicators.comms[slot], persistent);
    if (!state->kept[i])
        return;
    finish(&state->pending, state->kept[i]);
    run_call(state->kept[i]);
    add_pending(&state->pending, &state->own, state->kept[i]);
}

static void make_call(State* state, Stream* stream, int number) {
    const int form = one_in(&state->shared, 2) || stream->blocking_only ? blocking : nonblocking;
    const int slot = below(&state->shared, communicator_count);
    const MPI_Comm comm = state->communicators.comms[slot];
    Random shared = derived(stream->seed, (uint64_t)number, 3u << 30);
    if (comm == MPI_COMM_NULL)
        return;
    Call* call = new_call(&shared, stream->seed, number, comm, form);
    ++stream->done[call->collective][form];
    run_call(call);
    if (form == nonblocking)
        add_pending(&state->pending, &state->own, call);
    else {
        verify_call(call);
        free_call(call);
    }
}

static void* run_stream(void* argument) {
    Stream* stream = argument;
    int rank = 0;
    MPI_Comm_rank(stream->parent, &rank);
    State state = {.shared = derived(stream->seed, 0, 0),
                   .own = derived(stream->seed, 1, (uint64_t)rank)};
    make_communicators(&state.communicators, &state.shared, stream->parent);
    for (int number = 1; number <= stream->calls; ++number) {
        if (one_in(&state.shared, 25))
            change_communicator(&state);
        if (has_persistent() && !stream->blocking_only && one_in(&state.shared, 5))
            start_kept(&state, stream->seed, number);
        else
            make_call(&state, stream, number);
        if (one_in(&state.own, 4))
            finish_some(&state.pending, &state.own);
    }
    finish_all(&state.pending, &state.own);
    for (int i = 0; i < persistent_count; ++i)
        forget_kept(&state, i);
    free_communicators(&state.communicators);
    return NULL;
}

static void run(uint64_t seed, int calls, int threads, int blocking_only) {
    Stream streams[most_threads] = {0};
    pthread_t handles[most_threads];
    for (int i = 0; i < threads; ++i) {
        streams[i].seed = seed + (uint64_t)i;
        streams[i].calls = calls;
        streams[i].blocking_only = blocking_only;
        MPI_Comm_dup(MPI_COMM_WORLD, &streams[i].parent);
    }
    for (int i = 1; i < threads; ++i)
        pthread_create(&handles[i], NULL, run_stream, &streams[i]);
    run_stream(&streams[0]);
    for (int i = 1; i < threads; ++i)
        pthread_join(handles[i], NULL);
    for (int i = 0; i < threads; ++i)
        MPI_Comm_free(&streams[i].parent);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int which = 0; rank == 0 && which < collective_count; ++which)
        printf("%s: %ld blocking, %ld nonblocking\n", collective_names[which],
               streams[0].done[which][blocking], streams[0].done[which][nonblocking]);
}

int main(int argc, char** argv) {
    const char* forms = argc > 4 ? argv[4] : "all";
    const int blocking_only = strcmp(forms, "blocking") == 0;
    if (argc < 3 || (!blocking_only && strcmp(forms, "all") != 0)) {
        fprintf(stderr, "torture SEED CALLS [THREADS [all|blocking]]\n");
        return 2;
    }
    const uint64_t seed = strtoull(argv[1], NULL, 10);
    const int calls = atoi(argv[2]), threads = argc > 3 ? atoi(argv[3]) : 1;
    int provided = MPI_THREAD_SINGLE, rank = 0, size = 0;
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (threads < 1 || threads > most_threads || (threads > 1 && provided < MPI_THREAD_MULTIPLE)) {
        fprintf(stderr, "torture: this library does not do %d threads\n", threads);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    run(seed, calls, threads, blocking_only);
    if (rank == 0)
        printf("torture: seed %llu, %d calls of %d threads on %d ranks: as PMPI\n",
               (unsigned long long)seed, calls, threads, size);
    MPI_Finalize();
    return 0;
}

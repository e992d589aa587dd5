// SPDX-License-Identifier: BSD-3-Clause
// Splits, dups, reversed and interleaved ranks.
#include "communicators.h"

#include "tested.h"

static MPI_Comm make(MPI_Comm parent, Random* shared) {
    int rank = 0, size = 0;
    MPI_Comm_rank(parent, &rank);
    MPI_Comm_size(parent, &size);
    MPI_Comm made = MPI_COMM_NULL;
    const int kind = below(shared, 7);
    const uint64_t members = draw(shared);
    switch (kind) {
    case 0:
        MPI_Comm_dup(parent, &made);
        break;
    case 1: // reversed
        MPI_Comm_split(parent, 0, -rank, &made);
        break;
    case 2: // even ranks and odd ranks
        MPI_Comm_split(parent, rank % 2, rank, &made);
        break;
    case 3: // interleaved
        MPI_Comm_split(parent, 0, rank % 2 * size + rank, &made);
        break;
    case 4: // halves, the upper one reversed
        MPI_Comm_split(parent, 2 * rank >= size, 2 * rank >= size ? -rank : rank, &made);
        break;
    case 5: // some ranks, in an order that is nobody's
        MPI_Comm_split(parent, members >> rank & 1 ? 0 : MPI_UNDEFINED,
                       (int)(members >> (16 + rank) & 7), &made);
        break;
    default: // every rank by itself
        MPI_Comm_split(parent, rank, 0, &made);
    }
    prepare_tested(made);
    return made;
}

void make_communicators(Communicators* all, Random* shared, MPI_Comm parent) {
    all->parent = parent;
    MPI_Comm_dup(parent, &all->comms[0]);
    prepare_tested(all->comms[0]);
    for (int i = 1; i < communicator_count; ++i)
        all->comms[i] = make(parent, shared);
}

void replace_communicator(Communicators* all, Random* shared, int i) {
    if (all->comms[i] != MPI_COMM_NULL)
        MPI_Comm_free(&all->comms[i]);
    all->comms[i] = make(all->parent, shared);
}

void free_communicators(Communicators* all) {
    for (int i = 0; i < communicator_count; ++i)
        if (all->comms[i] != MPI_COMM_NULL)
            MPI_Comm_free(&all->comms[i]);
}

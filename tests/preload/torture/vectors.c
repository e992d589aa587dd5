// SPDX-License-Identifier: BSD-3-Clause
// Drawing the sizes of blocks that differ.
#include "vectors.h"

#include <stdlib.h>

int is_vector(int collective) {
    return collective == alltoallv || collective > barrier;
}

/// Elements from rank i to rank j; in place as many come back.
static int pair_elements(const Call* call, int i, int j) {
    if (call->in_place && i > j)
        return pair_elements(call, j, i);
    Random random = derived(call->seed, (uint64_t)call->number, (uint64_t)(i * 4096 + j));
    return one_in(&random, 4) ? 0 : random_elements(&random);
}

static void make_pair_sides(Call* call, Random* own, MPI_Datatype element) {
    int* elements = malloc(sizeof(int) * (size_t)call->size);
    for (int sends = !call->in_place; sends >= 0; --sends) {
        Side* side = sends ? &call->send : &call->receive;
        for (int i = 0; i < call->size; ++i)
            elements[i] =
                sends ? pair_elements(call, call->rank, i) : pair_elements(call, i, call->rank);
        if (call->collective == alltoallw)
            make_typed_side(side, own, element, elements, call->size);
        else
            make_vector_side(side, own, random_item(own), element, elements, call->size);
    }
    free(elements);
}

/// Blocks of all ranks on one side, where this rank has it, and its own on the other. Of an
/// allgatherv all have one datatype: Open MPI 4.1 chooses its algorithm by the type that is sent,
/// and MPICH 4.0 its messages by the type that is received, on each rank by its own.
static void make_rank_sides(Call* call, Random* own, MPI_Datatype element, int equal) {
    const int is_root = call->root < 0 || call->rank == call->root;
    const int one_item = call->collective == allgatherv;
    Random shared = derived(call->seed, (uint64_t)call->number, UINT64_C(4) << 30);
    const Item first = random_item(one_item ? &shared : own);
    const Item second = one_item ? first : random_item(own);
    const int absolute = one_in(own, 4) && !one_item;
    Side* all = call->collective == scatterv ? &call->send : &call->receive;
    Side* one = call->collective == scatterv ? &call->receive : &call->send;
    int* elements = malloc(sizeof(int) * (size_t)call->size);
    for (int i = 0; i < call->size; ++i)
        elements[i] = pair_elements(call, equal ? 0 : i, 4095);
    if (is_root)
        make_vector_side(all, own, first, element, elements, call->size);
    if (!(is_root && call->in_place))
        make_side(one, second, element, elements[call->rank], 1, absolute);
    free(elements);
}

void make_vector_sides(Call* call, Random* own, MPI_Datatype element, int equal) {
    if (call->collective == alltoallv || call->collective == alltoallw)
        make_pair_sides(call, own, element);
    else
        make_rank_sides(call, own, element, equal && call->collective == allgatherv);
}

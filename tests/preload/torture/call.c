// SPDX-License-Identifier: BSD-3-Clause
// Drawing a call, and comparing it with its reference.
#include "call.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "issue.h"
#include "library.h"
#include "vectors.h"

#define NAME(name, ...) #name,
const char* const collective_names[] = {COLLECTIVES(NAME)};
const char* const form_names[] = {"blocking", "nonblocking", "persistent"};

static MPI_Datatype random_element(Random* random) {
    const MPI_Datatype elements[] = {MPI_INT, MPI_BYTE, MPI_DOUBLE};
    return elements[below(random, 3)];
}

int random_elements(Random* random) {
    static const int most[] = {1, 2, 10, 10, 100, 100, 700, 4000};
    return elements_per_block_unit * below(random, most[below(random, 8)]);
}

/// Open MPI 4.1's binomial trees move the blocks of other ranks with this rank's own datatype,
/// which must therefore allow more items than this rank has.
static Item without_columns(Item item) {
    if (item.layout == column)
        item.layout = spaced;
    return item;
}

/// In place Open MPI 4.1's own nonblocking all-to-all does not end, MPICH 4.0's own reduce to
/// another root than 0 ends in a segmentation fault, and its nonblocking all-to-all-w truncates
/// messages or brings other bytes.
static int library_fails_in_place(const Call* call) {
#ifdef OPEN_MPI
    return call->form != blocking &&
           (call->collective == alltoall || call->collective == alltoallv ||
            call->collective == alltoallw);
#else
    return (call->collective == reduce && call->root != 0) ||
           (call->collective == alltoallw && call->form != blocking);
#endif
}

static void make_sides(Call* call, Random* own, MPI_Datatype element, int elements) {
    const int is_root = call->rank == call->root, n = call->size;
    const Item first = random_item(own), second = random_item(own);
    const int absolute = one_in(own, 4);
    switch (call->collective) {
    case bcast:
        make_side(&call->receive, first, element, elements, 1, absolute);
        break;
    case scatter:
        if (is_root)
            make_side(&call->send, first, element, elements, n, 0);
        if (!(is_root && call->in_place))
            make_side(&call->receive, without_columns(second), element, elements, 1, absolute);
        break;
    case gather:
        if (!(is_root && call->in_place))
            make_side(&call->send, without_columns(first), element, elements, 1, absolute);
        if (is_root)
            make_side(&call->receive, second, element, elements, n, 0);
        break;
    case allgather:
        if (!call->in_place)
            make_side(&call->send, first, element, elements, 1, absolute);
        make_side(&call->receive, second, element, elements, n, 0);
        break;
    case barrier:
        break;
    default: // all-to-all
        if (!call->in_place)
            make_side(&call->send, first, element, elements, n, 0);
        make_side(&call->receive, second, element, elements, n, 0);
    }
}

static int has_root(int collective) {
    return collective < alltoall || collective == reduce || collective == gatherv ||
           collective == scatterv;
}

int reduces(int collective) {
    return collective >= reduce && collective < barrier;
}

void make_operands(Call* call, const Operator* operation, int count) {
    const int is_root = call->root < 0 || call->rank == call->root;
    const int blocks = call->collective == reduce_scatter_block ? call->size : 1;
    call->operation = operation;
    if (!(is_root && call->in_place))
        make_operand_side(&call->send, operation->type, count, blocks);
    if (is_root)
        make_operand_side(&call->receive, operation->type, count, call->in_place ? blocks : 1);
}

Call* bare_call(int collective, int form, int in_place, int root, MPI_Comm comm) {
    Call* call = calloc(1, sizeof *call);
    call->collective = collective;
    call->form = form;
    call->in_place = in_place && collective != bcast && collective != barrier;
    call->comm = comm;
    call->request = REQUEST_NULL;
    if (comm == MPI_COMM_NULL)
        return call;
    MPI_Comm_rank(comm, &call->rank);
    MPI_Comm_size(comm, &call->size);
    call->root = has_root(collective) ? root % call->size : -1;
    if (library_fails_in_place(call))
        call->in_place = 0;
    return call;
}

Call* new_call(Random* shared, uint64_t seed, int number, MPI_Comm comm, int form) {
    const int collective = below(shared, collective_count), in_place = one_in(shared, 4);
    const MPI_Datatype element = random_element(shared);
    const int elements = random_elements(shared), root = below(shared, 1 << 20);
    const Operator* operation = operator_number(below(shared, operator_count));
    const int equal = one_in(shared, 2);
    Call* call = bare_call(collective, form, in_place, root, comm);
    call->seed = seed;
    call->number = number;
    if (comm == MPI_COMM_NULL)
        return call;
    Random own = derived(seed, (uint64_t)number, 1u << 30 | (unsigned)call->rank);
    if (is_vector(collective))
        make_vector_sides(call, &own, element, equal);
    else if (reduces(collective))
        make_operands(call, operation, elements);
    else
        make_sides(call, &own, element, elements);
    return call;
}

static int rounds(const Call* call) {
    return call->operation && call->operation->rounds;
}

/// All ranks must have the same bits.
static void compare_ranks(const Call* call) {
    uint64_t most[2] = {hash_of(&call->receive), 0};
    most[1] = ~most[0];
    library()->Allreduce(MPI_IN_PLACE, most, 2, MPI_UINT64_T, MPI_MAX, call->comm);
    if (most[0] == ~most[1])
        return;
    fprintf(stderr, "torture: seed %llu, call %d: an allreduce has other bits on other ranks\n",
            (unsigned long long)call->seed, call->number);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void run_call(Call* call) {
    ++call->cycle;
    for (int side = 0; side < 2; ++side)
        fill_side(side ? &call->receive : &call->send,
                  derived(call->seed, (uint64_t)call->number,
                          2u << 30 | (unsigned)(call->cycle * 8192 + call->rank * 2 + side)),
                  rounds(call));
    issue_reference(call);
    if (call->form == blocking) {
        issue_blocking(call);
        if (rounds(call) && call->collective == allreduce)
            compare_ranks(call);
    } else if (call->form == nonblocking)
        issue_nonblocking(call);
    else {
        if (call->request == REQUEST_NULL)
            issue_persistent(call);
        START(&call->request);
    }
}

void verify_call(const Call* call) {
    // The result is the first block; MPI does not say what a buffer that holds operands has in the
    // others.
    if (call->collective == reduce_scatter_block && call->in_place)
        take_other_blocks(&call->receive);
    for (int side = 0; side < 2; ++side) {
        // Each order of n numbers below 2 in size errs by less than n (n - 1) epsilon.
        const double n = call->size, allowed = rounds(call) ? 2 * n * n * DBL_EPSILON : 0;
        const ptrdiff_t at = difference(side ? &call->receive : &call->send, allowed);
        if (at < 0)
            continue;
        fprintf(
            stderr,
            "torture: seed %llu, call %d: %s %s%s %s, rank %d of %d, root %d: byte %td of %zu of "
            "what it %s differs (layout %d, count %d, started %d times)\n",
            (unsigned long long)call->seed, call->number, form_names[call->form],
            collective_names[call->collective], call->in_place ? " in place" : "",
            call->operation ? call->operation->name : "", call->rank, call->size, call->root, at,
            side ? call->receive.size : call->send.size, side ? "receives" : "sends",
            side ? call->receive.item.layout : call->send.item.layout,
            side ? call->receive.count : call->send.count, call->cycle);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void free_call(Call* call) {
    if (call->request != REQUEST_NULL)
        REQUEST_FREE(&call->request);
    free_side(&call->send);
    free_side(&call->receive);
    free(call);
}

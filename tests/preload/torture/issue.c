// SPDX-License-Identifier: BSD-3-Clause
// The argument lists of the collectives, once for all forms.
#include "issue.h"

#include <stdlib.h>

#include "library.h"
#include "tested.h"

int has_persistent(void) {
    return HAS_PERSISTENT;
}

static const void* send_buffer(const Call* call, int which) {
    return call->in_place && (call->rank == call->root || call->root < 0)
               ? MPI_IN_PLACE
               : call->send.buffers[which];
}

/// Unlike all others scatters in place give MPI_IN_PLACE to receive.
static void* scatter_receive_buffer(const Call* call, int which) {
    return call->in_place && call->rank == call->root ? MPI_IN_PLACE : call->receive.buffers[which];
}

/// Arguments without significance have a valid type all the same, since libraries look at it.
static MPI_Datatype type_of(const Side* side, int which) {
    return side->memory[which] ? side->types[which] : MPI_BYTE;
}

/// Both sides of a reduction have the same; in place there is no other than the receiving one.
static const Side* operand_side(const Call* call) {
    return call->send.memory[tested] ? &call->send : &call->receive;
}

static int operand_count(const Call* call) {
    return operand_side(call)->count;
}

static MPI_Datatype operand_type(const Call* call) {
    return operand_side(call)->item_type;
}

#define SEND_COUNT call->send.count, type_of(&call->send, which)
#define RECEIVE_COUNT call->receive.count, type_of(&call->receive, which)
#define RECEIVE call->receive.buffers[which], RECEIVE_COUNT
#define BCAST RECEIVE, call->root, call->comm
#define SCATTER                                                                                    \
    call->send.buffers[which], SEND_COUNT, scatter_receive_buffer(call, which), RECEIVE_COUNT,     \
        call->root, call->comm
#define GATHER send_buffer(call, which), SEND_COUNT, RECEIVE, call->root, call->comm
#define ALLTOALL send_buffer(call, which), SEND_COUNT, RECEIVE, call->comm
#define ALLTOALLV                                                                                  \
    send_buffer(call, which), SEND_COUNTS, type_of(&call->send, which),                            \
        call->receive.buffers[which], RECEIVE_COUNTS, type_of(&call->receive, which), call->comm

#define SEND_COUNTS call->send.counts, call->send.places
#define RECEIVE_COUNTS call->receive.counts, call->receive.places
#define GATHERV                                                                                    \
    send_buffer(call, which), SEND_COUNT, call->receive.buffers[which], RECEIVE_COUNTS,            \
        type_of(&call->receive, which), call->root, call->comm
#define SCATTERV                                                                                   \
    call->send.buffers[which], SEND_COUNTS, type_of(&call->send, which),                           \
        scatter_receive_buffer(call, which), RECEIVE_COUNT, call->root, call->comm
#define ALLGATHERV                                                                                 \
    send_buffer(call, which), call->send.count,                                                    \
        type_of(call->in_place ? &call->receive : &call->send, which),                             \
        call->receive.buffers[which], RECEIVE_COUNTS, type_of(&call->receive, which), call->comm
#define ALLTOALLW                                                                                  \
    send_buffer(call, which), SEND_COUNTS, call->send.each_type, call->receive.buffers[which],     \
        RECEIVE_COUNTS, call->receive.each_type, call->comm

#define OPERANDS                                                                                   \
    send_buffer(call, which), call->receive.buffers[which], operand_count(call),                   \
        operand_type(call), call->operation->op
#define REDUCE OPERANDS, call->root, call->comm
#define ALLREDUCE OPERANDS, call->comm
#define BARRIER call->comm

/// Calls the form `function` of the call's collective; further arguments come after a comma.
#define CASE(name, Name, ARGUMENTS)                                                                \
    case name:                                                                                     \
        FUNCTION(Name, name)(ARGUMENTS FURTHER);                                                   \
        break;
#define ISSUE                                                                                      \
    switch (call->collective) { COLLECTIVES(CASE) }

void issue_reference(const Call* tested_call) {
    const int which = reference;
    Call on_library = *tested_call;
    const Call* call = &on_library;
    on_library.comm = library_comm(tested_call->comm);
#define FUNCTION(Name, name) library()->Name
#define FURTHER
    ISSUE
#undef FUNCTION
}

void issue_blocking(const Call* call) {
    const int which = tested;
#define FUNCTION(Name, name) BLOCKING(Name, name)
    ISSUE
#undef FUNCTION
#undef FURTHER
}

void issue_nonblocking(Call* call) {
    const int which = tested;
#define FUNCTION(Name, name) NONBLOCKING(name)
#define FURTHER , &call->request
    ISSUE
#undef FUNCTION
#undef FURTHER
}

void issue_persistent(Call* call) {
#if HAS_PERSISTENT
    const int which = tested;
#define FUNCTION(Name, name) PERSISTENT(Name, name)
#define FURTHER , MPI_INFO_NULL, &call->request
    ISSUE
#else
    (void)call;
    abort();
#endif
}

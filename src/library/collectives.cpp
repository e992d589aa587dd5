// SPDX-License-Identifier: BSD-3-Clause
// The C interface of all collectives: blocking, nonblocking and persistent.
#include "library/entry.hpp"
#include "runtime/blocking.hpp"
#include "runtime/collective_table.hpp"
#include "runtime/library_call.hpp"

using namespace alltold;
using namespace alltold::library;

namespace {

/// Runs `call` while others are open on the communicator, and advances those: ranks may wait for
/// them before they make this call.
Status run_among_open(CommunicatorState& mine, Call call) {
    Pending pending;
    const int tag = mine.open_calls()->blocking_tag(call.shape().collective);
    ALLTOLD_TRY_DONE(pending.start_on(mine.channel(), tag, mine, std::move(call)));
    for (;;) {
        ALLTOLD_TRY(complete, pending.test());
        if (*complete)
            return pending.finish();
        mine.open_calls()->advance();
    }
}

/// Runs an algorithm of ours to its end.
Status run_ours(CommunicatorState& mine, Result<Call>&& call) {
    if (!call)
        return call.error();
    return mine.open_calls()->none() ? run(mine, *call) : run_among_open(mine, std::move(*call));
}

/// Whether what was chosen for all-to-all-v, and is not its default, carries out calls like it.
bool chosen_for_pairs(const CommunicatorState& mine) {
    return mine.choices().chosen(Collective::alltoallv) &&
           mine.choices().choice_of(Collective::alltoallv, 0).algorithm;
}

/// The block of every rank, where all have the same size, which all ranks see alike.
std::optional<Side> common_block(const VectorSide& side, int ranks) {
    if (!side.counts || side.type == MPI_DATATYPE_NULL)
        return {};
    int equal = 1;
    while (equal < ranks && side.counts[equal] == side.counts[0])
        ++equal;
    if (equal == ranks)
        return Side{side.buffer, side.counts[0], side.type};
    MPI_Count type_bytes = 0;
    if (PMPI_Type_size_x(side.type, &type_bytes) == MPI_SUCCESS && type_bytes == 0)
        return Side{side.buffer, 0, side.type};
    return {};
}

/// The reduce_scatter_block that a reduce_scatter of equal blocks is.
std::optional<Arguments> equal_blocks(const CommunicatorState& mine, const void* send,
                                      const VectorSide& receive, MPI_Op op) {
    const auto block = common_block(receive, mine.caller().size);
    if (!block)
        return {};
    return Arguments{
        Collective::reduce_scatter_block, {send, block->count, block->type}, *block, 0, op};
}

/// The call as an algorithm of ours carries it out; empty where the MPI library's own is to run.
using OurCall = std::optional<Result<Call>>;

OurCall our_call(const CommunicatorState& mine, const Arguments& arguments) {
    if (starts_library(mine, arguments))
        return {};
    return Call::of(mine.caller(), arguments);
}

/// An all-to-all-v.
OurCall our_call(const CommunicatorState& mine, const VectorSide& send, const VectorSide& receive) {
    if (!mine.choices().choice_of(Collective::alltoallv, 0).algorithm)
        return {};
    return Call::alltoallv(mine.caller(), send, receive);
}

/// An all-to-all-w.
OurCall our_call(const CommunicatorState& mine, const TypedSide& send, const TypedSide& receive) {
    if (!chosen_for_pairs(mine))
        return {};
    return Call::alltoallw(mine.caller(), send, receive);
}

/// A gatherv.
OurCall our_call(const CommunicatorState& mine, const Side& send, const VectorSide& receive,
                 int root) {
    if (!chosen_for_pairs(mine))
        return {};
    return Call::gatherv(mine.caller(), send, receive, root);
}

/// A scatterv.
OurCall our_call(const CommunicatorState& mine, const VectorSide& send, const Side& receive,
                 int root) {
    if (!chosen_for_pairs(mine))
        return {};
    return Call::scatterv(mine.caller(), send, receive, root);
}

/// An allgatherv, which is ours only with equal blocks, by the choice for an allgather of them.
OurCall our_call(const CommunicatorState& mine, const Side& send, const VectorSide& receive) {
    const auto block = common_block(receive, mine.caller().size);
    if (!block || runs_library(mine, {Collective::allgather, send, *block}))
        return {};
    return Call::allgatherv(mine.caller(), send, receive);
}

/// A reduce_scatter.
OurCall our_call(const CommunicatorState& mine, const void* send, const VectorSide& receive,
                 MPI_Op op) {
    const auto regular = equal_blocks(mine, send, receive, op);
    return regular ? our_call(mine, *regular) : OurCall();
}

template <typename Library>
Status run_library(CommunicatorState& mine, Library&& library) {
    mine.open_calls()->complete(); // the library's own would not advance them
    return library(mine.plain());
}

/// Runs a blocking call; `library` runs the MPI library's own on the communicator that it is given.
template <typename Library, typename... Given>
Status run_either(CommunicatorState& mine, Library&& library, const Given&... given) {
    if (auto call = our_call(mine, given...))
        return run_ours(mine, std::move(*call));
    return run_library(mine, library);
}

template <typename Library>
Status run_either(CommunicatorState& mine, Library&& library, const Arguments& arguments) {
    if (mine.open_calls()->none())
        return run(mine, arguments);
    if (runs_library(mine, arguments))
        return run_library(mine, library);
    return run_ours(mine, Call::of(mine.caller(), arguments));
}

template <typename Library>
Status run_either(CommunicatorState& mine, Library&& library, const void* send,
                  const VectorSide& receive, MPI_Op op) {
    const auto regular = equal_blocks(mine, send, receive, op);
    if (regular && !runs_library(mine, *regular))
        return run_either(mine, library, *regular);
    return run_library(mine, library);
}

/// Starts a call; `library` starts the MPI library's own.
template <typename Library, typename... Given>
Status start_either(CommunicatorState& mine, MPI_Comm comm, alltold_request* request,
                    Library&& library, const Given&... given) {
    auto call = our_call(mine, given...);
    if (call && !*call)
        return call->error();
    auto state = std::make_unique<alltold_request_state>();
    state->comm = comm;
    state->by_library = !call;
    auto started = call ? state->pending.start(mine, std::move(**call))
                        : library(mine.plain(), &state->library);
    if (started)
        *request = state.release();
    return started;
}

template <typename Start>
int nonblocking(MPI_Comm comm, alltold_request* request, Start&& start) {
    *request = ALLTOLD_REQUEST_NULL;
    return with(comm, [&](CommunicatorState& mine) { return start(mine, request); });
}

int persistent(MPI_Comm comm, alltold_request* request, StartCall start) {
    *request = ALLTOLD_REQUEST_NULL;
    return with(comm, [&](CommunicatorState& mine) -> Status {
        mine.open_calls()->complete(); // what follows would not advance them
        auto call = std::make_unique<Persistent>();
        call->state = std::make_unique<CommunicatorState>(mine.plain());
        call->start = std::move(start);
        ALLTOLD_TRY_DONE(call->state->open_like(mine));
        *request = new alltold_request_state;
        (*request)->comm = comm;
        (*request)->persistent = std::move(call);
        return Done{};
    });
}

// The counts and displacements of the functions defined below.
using Count = int;
using Displacement = int;

} // namespace

extern "C" {

/// Starts a call: the nonblocking form once, the persistent one again and again.
#define START(name, ARGUMENTS, ...)                                                                \
    [=](CommunicatorState& mine, alltold_request* started) {                                       \
        return start_either(                                                                       \
            mine, comm, started,                                                                   \
            [&](MPI_Comm plain, MPI_Request* library) {                                            \
                return ALLTOLD_PMPI(I##name, ALLTOLD_LEADING ARGUMENTS plain, library);            \
            },                                                                                     \
            __VA_ARGS__);                                                                          \
    }
#define DEFINE(Name, name, PARAMETERS, ARGUMENTS, ...)                                             \
    int alltold_##name(ALLTOLD_LEADING PARAMETERS MPI_Comm comm) {                                 \
        return with(comm, [&](CommunicatorState& mine) {                                           \
            return run_either(                                                                     \
                mine,                                                                              \
                [&](MPI_Comm plain) {                                                              \
                    return ALLTOLD_PMPI(Name, ALLTOLD_LEADING ARGUMENTS plain);                    \
                },                                                                                 \
                __VA_ARGS__);                                                                      \
        });                                                                                        \
    }                                                                                              \
    int alltold_i##name(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, alltold_request* request) {      \
        return nonblocking(comm, request, START(name, ARGUMENTS, __VA_ARGS__));                    \
    }                                                                                              \
    int alltold_##name##_init(ALLTOLD_LEADING PARAMETERS MPI_Comm comm, MPI_Info,                  \
                              alltold_request* request) {                                          \
        return persistent(comm, request, START(name, ARGUMENTS, __VA_ARGS__));                     \
    }
ALLTOLD_REGULAR_COLLECTIVES(DEFINE)
ALLTOLD_ALLTOALLV(DEFINE)
ALLTOLD_OTHER_VECTORS(DEFINE)
#undef DEFINE
#undef START

} // extern "C"

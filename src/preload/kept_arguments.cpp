// SPDX-License-Identifier: BSD-3-Clause
// Arguments whose types are held, and the library's nonblocking collectives.
#include "preload/kept_arguments.hpp"

#include <algorithm>
#include <climits>

#include "preload/arguments.hpp"
#include "preload/functions.hpp"
#include "runtime/collective_table.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {
namespace {

Status start(MPI_Comm comm, const Arguments& arguments, MPI_Request* request) {
    if (std::max(arguments.send.count, arguments.receive.count) > INT_MAX)
        return mpi::argument_error(MPI_ERR_COUNT, "a count above 2^31-1");
    ALLTOLD_NAMED(arguments);
    switch (collective) {
#define START(Name, name, PARAMETERS, ARGUMENTS, ...)                                              \
    case Collective::name:                                                                         \
        return mpi::check(library().i##name(ALLTOLD_LEADING ARGUMENTS comm, request),              \
                          "MPI_I" #name);
        ALLTOLD_REGULAR_COLLECTIVES(START)
#undef START
    case Collective::alltoallv:
        break;
    }
    return mpi::argument_error(MPI_ERR_ARG, "an all-to-all-v has counts for every rank");
}

} // namespace

Status KeptArguments::hold(MPI_Datatype& type) {
    if (type == MPI_DATATYPE_NULL)
        return mpi::argument_error(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
    auto held = hold_type(type);
    if (!held)
        return held.error();
    types_.push_back(std::move(*held));
    return Done{};
}

Status KeptArguments::keep(const Caller& caller, const Arguments& arguments) {
    auto kept = arguments;
    const auto used = used_sides(caller, arguments);
    const bool reduces = traits_of(arguments.collective).reduces;
    // The type of a reduction is on the sending side, in place as well.
    if (used.send && (reduces || kept.send.buffer != MPI_IN_PLACE))
        if (auto held = hold(kept.send.type); !held)
            return held;
    if (reduces)
        kept.receive.type = kept.send.type;
    else if (used.receive && kept.receive.buffer != MPI_IN_PLACE)
        if (auto held = hold(kept.receive.type); !held)
            return held;
    arguments_ = kept;
    return Done{};
}

Result<KeptArguments::OwnedSide> KeptArguments::owned(const Caller& caller,
                                                      const VectorSide& side) {
    OwnedSide copy;
    copy.buffer = side.buffer;
    if (side.buffer == MPI_IN_PLACE)
        return copy;
    if (!side.counts || !side.displacements)
        return mpi::argument_error(MPI_ERR_ARG, "no counts or displacements");
    for (int rank = 0; rank < caller.size; ++rank) {
        copy.counts.push_back(side.counts[rank]);
        copy.displacements.push_back(side.displacements[rank]);
    }
    copy.type = side.type;
    if (auto held = hold(copy.type); !held)
        return held.error();
    return copy;
}

Status KeptArguments::keep(const Caller& caller, const VectorSide& send,
                           const VectorSide& receive) {
    auto kept_send = owned(caller, send);
    if (!kept_send)
        return kept_send.error();
    auto kept_receive = owned(caller, receive);
    if (!kept_receive)
        return kept_receive.error();
    arguments_ = Vectors{std::move(*kept_send), std::move(*kept_receive)};
    return Done{};
}

Result<Call> KeptArguments::call(const Caller& caller) const {
    const auto* const regular = std::get_if<Arguments>(&arguments_);
    const auto* const vectors = std::get_if<Vectors>(&arguments_);
    auto call = regular ? Call::of(caller, *regular)
                        : Call::alltoallv(caller, vectors->send.side(), vectors->receive.side());
    if (call)
        call->pick(picked_);
    return call;
}

Status KeptArguments::start_library(MPI_Comm comm, MPI_Request* request) {
    if (const auto* const regular = std::get_if<Arguments>(&arguments_))
        return start(comm, *regular, request);
    auto& [send, receive] = std::get<Vectors>(arguments_);
    for (auto* const side : {&send, &receive}) {
        side->int_counts.assign(side->counts.begin(), side->counts.end());
        side->int_displacements.assign(side->displacements.begin(), side->displacements.end());
    }
    return mpi::check(library().ialltoallv(
                          send.buffer, send.int_counts.data(), send.int_displacements.data(),
                          send.type, const_cast<void*>(receive.buffer), receive.int_counts.data(),
                          receive.int_displacements.data(), receive.type, comm, request),
                      "MPI_Ialltoallv");
}

} // namespace alltold::preload

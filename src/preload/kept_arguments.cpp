// SPDX-License-Identifier: BSD-3-Clause
// Copies of what the program may free.
#include "preload/kept_arguments.hpp"

#include "preload/arguments.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {

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
    // Of a reduction the sending side has the type, in place as well.
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
    copy.counts.assign(side.counts, side.counts + caller.size);
    copy.displacements.assign(side.displacements, side.displacements + caller.size);
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
    if (const auto* const regular = std::get_if<Arguments>(&arguments_))
        return Call::of(caller, *regular);
    const auto& vectors = std::get<Vectors>(arguments_);
    return Call::alltoallv(caller, vectors.send.side(), vectors.receive.side());
}

} // namespace alltold::preload

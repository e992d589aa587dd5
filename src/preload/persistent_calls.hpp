// SPDX-License-Identifier: BSD-3-Clause
// The program's inits of persistent calls, made by us or handed to the MPI library.
#pragma once

#include <memory>
#include <new>

#include "preload/calls.hpp"
#include "preload/persistent.hpp"

namespace alltold::preload {

/// Makes a call of ours, with the arguments that keep() gives to KeptArguments; `own` is the
/// library's init.
template <typename Keep, typename Own>
int make_ours(Communicator& mine, MPI_Comm comm, const CallSize& size, const Decision& decision,
              MPI_Request* request, Keep&& keep, Own&& own) try {
    if (auto opened = mine.open(); !opened)
        return report(comm, opened);
    auto arguments = std::make_unique<KeptArguments>();
    const Status kept = keep(*arguments);
    PersistentLog log{{size.collective, comm, mine.ranks(), size.sent_bytes, size.root, true,
                       nullptr, decision.why},
                      *decision.choice};
    const auto made = kept ? make_persistent(mine.shared_state(), mine.persistent_channels(),
                                             std::move(arguments), std::move(log), request)
                           : kept;
    if (!made && made.error().status != ExitStatus::environment)
        return own();
    return report(comm, made);
} catch (const std::bad_alloc&) {
    return report(comm, Error{"out of memory", ExitStatus::environment, MPI_ERR_NO_MEM});
}

template <typename Own>
int persistent(MPI_Comm comm, const Arguments& arguments, MPI_Request* request, Own&& own) {
    auto* const mine = Communicator::of(comm);
    if (!mine || !mine->takes(arguments.collective))
        return own();
    const auto bytes = block_bytes(mine->caller(), arguments);
    if (!bytes || aliased(mine->caller(), arguments))
        return own();
    const auto decision = mine->decide_persistent(arguments.collective, *bytes);
    if (!decision.ours())
        return own();
    return make_ours(
        *mine, comm, {arguments.collective, *bytes, *bytes, arguments.root}, decision, request,
        [&](KeptArguments& kept) { return kept.keep(mine->caller(), arguments); }, own);
}

template <typename Own>
int persistent(MPI_Comm comm, const VectorSide& send, const VectorSide& receive,
               MPI_Request* request, Own&& own) {
    auto* const mine = Communicator::of(comm);
    if (!mine || !mine->takes(Collective::alltoallv) || aliased(mine->caller(), send, receive))
        return own();
    const auto decision = mine->decide_persistent(Collective::alltoallv, 0);
    if (!decision.ours())
        return own();
    const auto bytes = sent_bytes(mine->caller(), send, receive);
    return make_ours(
        *mine, comm, {Collective::alltoallv, 0, bytes, 0}, decision, request,
        [&](KeptArguments& kept) { return kept.keep(mine->caller(), send, receive); }, own);
}

} // namespace alltold::preload

// SPDX-License-Identifier: BSD-3-Clause
// Inits of the program's persistent calls, run by us or handed to the MPI library.
#pragma once

#include <memory>
#include <new>

#include "preload/calls.hpp"
#include "preload/persistent.hpp"

namespace alltold::preload {

/// Makes a call of ours, with the arguments that keep() gives to KeptArguments; `pass_on` is the
/// library's init.
template <typename Keep, typename PassOn>
int make_ours(ProgramCommunicator& mine, MPI_Comm comm, const SizedCall& call,
              const Decision& decision, MPI_Request* request, Keep&& keep, PassOn&& pass_on) try {
    if (auto opened = mine.open(); !opened)
        return opened.error().status == ExitStatus::no ? pass_on() : report(comm, opened);
    auto arguments = std::make_unique<KeptArguments>(decision.choice);
    const Status kept = keep(*arguments);
    PersistentLog log{{call.collective, mine.ranks(), call.sent_bytes, true, nullptr, decision.why},
                      *decision.choice};
    const auto made = kept ? make_persistent(mine.shared_state(), mine.persistent_channels(), comm,
                                             std::move(arguments), std::move(log), request)
                           : kept;
    if (!made && made.error().status != ExitStatus::environment)
        return pass_on();
    return report(comm, made);
} catch (const std::bad_alloc&) {
    return report(comm, mpi::out_of_memory());
}

/// `mine` is the state of `comm`, or null.
template <typename PassOn>
int persistent(ProgramCommunicator* mine, MPI_Comm comm, const Arguments& arguments,
               MPI_Request* request, PassOn&& pass_on) {
    retire_for(arguments.op);
    if (!mine || !mine->takes(arguments.collective))
        return pass_on();
    const ProgressThread::Excluded excluded;
    const auto call = regular(*mine, arguments, true);
    if (!call || call->refusal != MPI_SUCCESS)
        return pass_on();
    const auto decision = mine->decide_persistent(call->sized);
    if (!decision.ours())
        return pass_on();
    return make_ours(
        *mine, comm, call->sized, decision, request,
        [&](KeptArguments& kept) { return kept.keep(mine->caller(), call->arguments); }, pass_on);
}

template <typename PassOn>
int persistent(ProgramCommunicator* mine, MPI_Comm comm, const VectorSide& send,
               const VectorSide& receive, MPI_Request* request, PassOn&& pass_on) {
    if (!mine || !mine->takes(Collective::alltoallv) || vector_requests_are_the_librarys)
        return pass_on();
    const ProgressThread::Excluded excluded;
    const auto call = vector_size(*mine, send, receive);
    if (!call)
        return pass_on();
    const auto decision = mine->decide_persistent(*call);
    if (!decision.ours())
        return pass_on();
    return make_ours(
        *mine, comm, *call, decision, request,
        [&](KeptArguments& kept) { return kept.keep(mine->caller(), send, receive); }, pass_on);
}

} // namespace alltold::preload

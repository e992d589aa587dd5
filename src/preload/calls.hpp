// SPDX-License-Identifier: BSD-3-Clause
// The program's calls, run by us or handed to the MPI library.
#pragma once

#include <memory>
#include <mutex>
#include <new>
#include <optional>

#include "preload/arguments.hpp"
#include "preload/functions.hpp"
#include "preload/process.hpp"
#include "preload/program_communicator.hpp"
#include "preload/progress.hpp"
#include "preload/progress_engine.hpp"
#include "runtime/blocking.hpp"
#include "runtime/library_call.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {

/// Calls the error handler of `comm`, as MPI does, and returns the code.
int report(MPI_Comm comm, const Status& status);

/// Our state of a communicator if calls of `collective` may run our algorithms or are observed;
/// else null, and the library runs them.
inline ProgramCommunicator* concerned(ProgramCommunicator* mine, Collective collective) {
    return mine && (mine->takes(collective) || Job::present()->observed()) ? mine : nullptr;
}

/// The progress thread must not run an operator of a program that did not ask for threads, as it
/// may from the first nonblocking or persistent call with one.
void retire_for(MPI_Op op);

/// Runs a blocking call by our algorithm; `pass_on` calls the library. Calls with invalid arguments
/// go to the library, which reports them.
template <typename Ours, typename PassOn>
int run_ours(ProgramCommunicator& mine, MPI_Comm comm, Ours&& ours, PassOn&& pass_on) try {
    if (auto opened = mine.open(); !opened)
        return report(comm, opened);
    const Status done = ours();
    if (!done && done.error().status == ExitStatus::bad_input)
        return pass_on();
    return report(comm, done);
} catch (const std::bad_alloc&) {
    return report(comm, mpi::out_of_memory());
}

inline void tell(ProgramCommunicator& mine, const SizedCall& call, const Decision& decision,
                 bool nonblocking, double duration_s) {
    Job::present()->observe({call.collective, mine.ranks(), call.sent_bytes, nonblocking,
                             decision.choice, decision.why, duration_s});
}

/// The decision for a blocking call, which opens the communicator where ours is to run.
inline Decision decide_and_open(ProgramCommunicator& mine, const SizedCall& call) {
    const auto decision = mine.decide(call);
    if (!decision.ours())
        return decision;
    const auto opened = mine.open();
    return opened || opened.error().status != ExitStatus::no ? decision : left_to_library();
}

template <typename Ours, typename PassOn>
int blocking(ProgramCommunicator& mine, MPI_Comm comm, const SizedCall& call, Ours&& ours,
             PassOn&& pass_on) {
    const auto decision = decide_and_open(mine, call);
    const bool observed = Job::present()->observed();
    if (!decision.ours() && !observed)
        return pass_on();
    const double start_s = observed ? PMPI_Wtime() : 0;
    const int code = decision.ours()
                         ? run_ours(
                               mine, comm, [&] { return ours(*decision.choice); }, pass_on)
                         : pass_on();
    if (observed)
        tell(mine, call, decision, false, PMPI_Wtime() - start_s);
    return code;
}

/// A call with one block size.
struct RegularCall {
    SizedCall sized;
    Arguments arguments;       ///< for our algorithm
    int refusal = MPI_SUCCESS; ///< the library's error class for identical buffers
};
/// Empty for invalid arguments. `may_free`: the program may free types and operators before the
/// call ends.
std::optional<RegularCall> regular(const ProgramCommunicator& mine, const Arguments& arguments,
                                   bool may_free);

/// Whether a call that the library refuses on this rank must run nevertheless, since others, which
/// need not know of that, would wait for messages of this rank, which they do not in the library's
/// own gather or reduce. Else it goes to the library and counts for nothing here
/// (ProgramCommunicator::go_without_call): others may not make it, or make it with this rank's
/// next.
bool others_wait(ProgramCommunicator& mine, const RegularCall& call);

/// `state` is that of `comm`, or null.
template <typename PassOn>
int blocking(ProgramCommunicator* state, MPI_Comm comm, const Arguments& arguments,
             PassOn&& pass_on) {
    auto* const mine = concerned(state, arguments.collective);
    if (!mine)
        return pass_on();
    const ProgressThread::Excluded excluded;
    auto call = regular(*mine, arguments, false);
    if (!call || (call->refusal != MPI_SUCCESS && !others_wait(*mine, *call)))
        return pass_on();
    return blocking(
        *mine, comm, call->sized,
        [&](const Choice& choice) {
            call->arguments.picked = &choice;
            const auto done = run(mine->state(), call->arguments);
            return done && call->refusal != MPI_SUCCESS
                       ? Status(
                             Error{"buffers are the same", ExitStatus::environment, call->refusal})
                       : done;
        },
        pass_on);
}

/// The sizes of an all-to-all-v, as far as this rank knows them: what it sends. Empty for what
/// the library refuses.
std::optional<SizedCall> vector_size(const ProgramCommunicator& mine, const VectorSide& send,
                                     const VectorSide& receive);

template <typename PassOn>
int blocking(ProgramCommunicator* state, MPI_Comm comm, const VectorSide& send,
             const VectorSide& receive, PassOn&& pass_on) {
    auto* const mine = concerned(state, Collective::alltoallv);
    if (!mine)
        return pass_on();
    const ProgressThread::Excluded excluded;
    const auto size = vector_size(*mine, send, receive);
    if (!size)
        return pass_on();
    return blocking(
        *mine, comm, *size,
        [&](const Choice& choice) -> Status {
            auto call = Call::alltoallv(mine->caller(), send, receive);
            if (!call)
                return call.error();
            call->pick(&choice);
            return run(mine->state(), *call);
        },
        pass_on);
}

/// Starts the call by our algorithm and returns its return code. Empty if the library must run it;
/// then nothing was sent.
template <typename Make>
std::optional<int> start_ours(ProgramCommunicator& mine, MPI_Comm comm, const Choice& choice,
                              MPI_Request* request, Make&& make) try {
    Result<Call> call = make();
    if (!call)
        return std::nullopt;
    call->pick(&choice);
    const auto started =
        start_request(mine.shared_state(), mine.at_once(), std::move(*call), comm, request);
    if (!started && started.error().status != ExitStatus::environment)
        return std::nullopt;
    return report(comm, started);
} catch (const std::bad_alloc&) {
    return report(comm, mpi::out_of_memory());
}

/// Starts a nonblocking call, which make() builds for our algorithm, keep() gives to KeptArguments
/// and library() starts in the library on a communicator of the same ranks.
template <typename Make, typename Keep, typename Library>
int nonblocking(ProgramCommunicator& mine, MPI_Comm comm, const SizedCall& call,
                MPI_Request* request, Make&& make, Keep&& keep, Library&& library) try {
    const bool observed = Job::present()->observed();
    const bool compared = mine.compares_nonblocking(call), behind = mine.has_waiting();
    const auto began = compared || observed ? moment() : Moment{};
    std::optional<Decision> decision;
    if (!compared) {
        decision = mine.decide_nonblocking(call);
    } else if (!behind) {
        const std::lock_guard held(turn());
        decision = mine.decide_compared(call, began);
    }
    // All ranks start these in the order of the calls.
    const bool in_order = mine.waiting() && (compared || decision->ours());
    const MPI_Comm on = in_order ? mine.nonblocking_comm() : comm;
    if (in_order && (behind || !decision)) {
        auto kept = std::make_unique<KeptArguments>();
        Status added = keep(*kept);
        if (added)
            added = mine.waiting()->add(
                mine.shared_state(), std::move(kept),
                [&mine, call, began, decision, observed] {
                    auto now = decision ? decision : mine.decide_compared(call, began);
                    if (now && observed)
                        tell(mine, call, *now, true, 0);
                    return now;
                },
                on, comm, request);
        return report(comm, added);
    }
    auto ran = *decision;
    const auto taken =
        ran.ours() ? start_ours(mine, comm, *ran.choice, request, make) : std::optional<int>();
    if (!taken && ran.ours())
        ran = left_to_library();
    const int code = taken ? *taken : library(on);
    if (observed)
        tell(mine, call, ran, true, PMPI_Wtime() - began.now_s);
    return code;
} catch (const std::bad_alloc&) {
    return report(comm, mpi::out_of_memory());
}

template <typename Library>
int nonblocking(ProgramCommunicator* state, MPI_Comm comm, const Arguments& arguments,
                MPI_Request* request, Library&& library) {
    retire_for(arguments.op);
    auto* const mine = concerned(state, arguments.collective);
    if (!mine)
        return library(comm);
    const ProgressThread::Excluded excluded;
    const auto call = regular(*mine, arguments, true);
    if (!call || call->refusal != MPI_SUCCESS)
        return library(comm);
    return nonblocking(
        *mine, comm, call->sized, request,
        [&] { return Call::of(mine->caller(), call->arguments); },
        [&](KeptArguments& kept) { return kept.keep(mine->caller(), call->arguments); }, library);
}

template <typename Library>
int nonblocking(ProgramCommunicator* state, MPI_Comm comm, const VectorSide& send,
                const VectorSide& receive, MPI_Request* request, Library&& library) {
    auto* const mine = concerned(state, Collective::alltoallv);
    if (!mine || vector_requests_are_the_librarys)
        return library(comm);
    const ProgressThread::Excluded excluded;
    const auto size = vector_size(*mine, send, receive);
    if (!size)
        return library(comm);
    return nonblocking(
        *mine, comm, *size, request, [&] { return Call::alltoallv(mine->caller(), send, receive); },
        [&](KeptArguments& kept) { return kept.keep(mine->caller(), send, receive); }, library);
}

} // namespace alltold::preload

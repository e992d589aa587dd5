// SPDX-License-Identifier: BSD-3-Clause
// The program's calls, run by us or handed to the MPI library.
#pragma once

#include <new>
#include <optional>

#include "preload/arguments.hpp"
#include "preload/functions.hpp"
#include "preload/program_communicator.hpp"
#include "preload/progress.hpp"
#include "runtime/blocking.hpp"
#include "runtime/library_call.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {

/// Calls the error handler of `comm`, as MPI does, and returns the code.
int report(MPI_Comm comm, const Status& status);

/// That of `comm`, where calls of `collective` may be ours or are observed; else null: they are the
/// library's alone.
inline ProgramCommunicator* concerned(MPI_Comm comm, Collective collective) {
    auto* const mine = ProgramCommunicator::of(comm);
    return mine && (mine->takes(collective) || Job::present()->observed()) ? mine : nullptr;
}

/// Our own run of a blocking call; `own` is the library's. A call whose arguments make no sense is
/// left to the library to refuse.
template <typename Ours, typename Own>
int run_ours(ProgramCommunicator& mine, MPI_Comm comm, Ours&& ours, Own&& own) try {
    if (auto opened = mine.open(); !opened)
        return report(comm, opened);
    const Status done = ours();
    if (!done && done.error().status == ExitStatus::bad_input)
        return own();
    return report(comm, done);
} catch (const std::bad_alloc&) {
    return report(comm, Error{"out of memory", ExitStatus::environment, MPI_ERR_NO_MEM});
}

inline void tell(ProgramCommunicator& mine, MPI_Comm comm, const SizedCall& call,
                 const Decision& decision, bool nonblocking, double start_s, double duration_s) {
    Job::present()->observe({call.collective, comm, mine.ranks(), call.sent_bytes, call.root,
                             nonblocking, decision.choice, decision.why, start_s, duration_s});
}

template <typename Ours, typename Own>
int blocking(ProgramCommunicator& mine, MPI_Comm comm, const SizedCall& call, Ours&& ours,
             Own&& own) {
    const auto decision = mine.decide(call);
    const bool observed = Job::present()->observed();
    const bool timed = observed || (decision.trial && decision.trial->trial().measuring());
    if (!decision.ours() && !decision.trial && !observed)
        return own();
    const double start_s = timed ? PMPI_Wtime() : 0;
    const int code = decision.ours() ? run_ours(mine, comm, ours, own) : own();
    const double duration_s = timed ? PMPI_Wtime() - start_s : 0;
    if (decision.trial)
        decision.trial->add(duration_s);
    if (observed)
        tell(mine, comm, call, decision, false, start_s, duration_s);
    return code;
}

/// What a call of ours that ran returns. Other ranks may not know that the library would have
/// refused it with an error of class `refusal`, and wait for this one: so it is said after the run.
inline Status after_run(int refusal, Status done) {
    if (done && refusal != MPI_SUCCESS)
        return Error{"buffers are the same", ExitStatus::environment, refusal};
    return done;
}

/// A call with one block size.
struct RegularCall {
    SizedCall sized;
    Arguments arguments;       ///< as we are to run it
    int refusal = MPI_SUCCESS; ///< the library's, for buffers that are the same
};
/// Nothing where arguments make no sense. `may_free`: the program may free types and operators
/// before the call ends.
std::optional<RegularCall> regular(const ProgramCommunicator& mine, const Arguments& arguments,
                                   bool may_free);

template <typename Own>
int blocking(MPI_Comm comm, const Arguments& arguments, Own&& own) {
    auto* const mine = concerned(comm, arguments.collective);
    if (!mine)
        return own();
    const auto call = regular(*mine, arguments, false);
    if (!call)
        return own();
    return blocking(
        *mine, comm, call->sized,
        [&] { return after_run(call->refusal, run(mine->state(), call->arguments)); }, own);
}

/// What this rank sends; 0 where the arguments make no sense.
std::uint64_t sent_bytes(const Caller& caller, const VectorSide& send, const VectorSide& receive);

/// Of an all-to-all-v, whose bytes only an observer wants to know.
inline SizedCall vector_size(const ProgramCommunicator& mine, const VectorSide& send,
                             const VectorSide& receive) {
    const bool observed = Job::present()->observed();
    return {Collective::alltoallv, 0, observed ? sent_bytes(mine.caller(), send, receive) : 0, 0};
}

template <typename Own>
int blocking(MPI_Comm comm, const VectorSide& send, const VectorSide& receive, Own&& own) {
    auto* const mine = concerned(comm, Collective::alltoallv);
    if (!mine)
        return own();
    return blocking(
        *mine, comm, vector_size(*mine, send, receive),
        [&]() -> Status {
            auto call = Call::alltoallv(mine->caller(), send, receive);
            if (!call)
                return call.error();
            return after_run(refusal_of(mine->caller(), send, receive), run(mine->state(), *call));
        },
        own);
}

/// What a call that we took returns. Empty where it is left to the library; nothing was sent then.
template <typename Make>
std::optional<int> start_ours(ProgramCommunicator& mine, MPI_Comm comm, MPI_Request* request,
                              Make&& make) try {
    Result<Call> call = make();
    if (!call)
        return std::nullopt;
    const auto started =
        start_request(mine.shared_state(), mine.at_once(), std::move(*call), request);
    if (!started && started.error().status != ExitStatus::environment)
        return std::nullopt;
    return report(comm, started);
} catch (const std::bad_alloc&) {
    return report(comm, Error{"out of memory", ExitStatus::environment, MPI_ERR_NO_MEM});
}

/// Starts a call that make() makes; `own` is the library's.
template <typename Make, typename Own>
int nonblocking(ProgramCommunicator& mine, MPI_Comm comm, const SizedCall& call,
                MPI_Request* request, Make&& make, Own&& own) {
    const auto decision = mine.decide_nonblocking(call);
    const bool observed = Job::present()->observed();
    const double start_s = observed ? PMPI_Wtime() : 0;
    auto ran = decision;
    const auto taken =
        decision.ours() ? start_ours(mine, comm, request, make) : std::optional<int>();
    if (!taken && decision.ours())
        ran = left_to_library();
    const int code = taken ? *taken : own();
    if (observed)
        tell(mine, comm, call, ran, true, start_s, PMPI_Wtime() - start_s);
    return code;
}

template <typename Own>
int nonblocking(MPI_Comm comm, const Arguments& arguments, MPI_Request* request, Own&& own) {
    auto* const mine = concerned(comm, arguments.collective);
    if (!mine)
        return own();
    const auto call = regular(*mine, arguments, true);
    if (!call || call->refusal != MPI_SUCCESS)
        return own();
    return nonblocking(
        *mine, comm, call->sized, request,
        [&] { return Call::of(mine->caller(), call->arguments); }, own);
}

template <typename Own>
int nonblocking(MPI_Comm comm, const VectorSide& send, const VectorSide& receive,
                MPI_Request* request, Own&& own) {
    auto* const mine = concerned(comm, Collective::alltoallv);
    if (!mine || vector_requests_are_the_librarys ||
        refusal_of(mine->caller(), send, receive) != MPI_SUCCESS)
        return own();
    return nonblocking(
        *mine, comm, vector_size(*mine, send, receive), request,
        [&] { return Call::alltoallv(mine->caller(), send, receive); }, own);
}

} // namespace alltold::preload

// SPDX-License-Identifier: BSD-3-Clause
// The program's calls, run by us or handed to the MPI library.
#pragma once

#include <algorithm>
#include <new>

#include "preload/communicator.hpp"
#include "preload/progress.hpp"
#include "runtime/blocking.hpp"
#include "runtime/library_call.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {

/// Calls the error handler of `comm`, as MPI does, and returns the code.
int report(MPI_Comm comm, const Status& status);

#ifdef MPICH_VERSION
constexpr bool aliasing_is_reported = true;
#else
constexpr bool aliasing_is_reported = false; ///< Open MPI takes it
#endif

/// Whether send and receive buffers are the same memory, which MPI forbids, and the library says
/// so.
inline bool aliased(const Caller& caller, const Arguments& arguments) {
    if (!aliasing_is_reported)
        return false;
    const bool both = arguments.collective == Collective::alltoall ||
                      (arguments.collective != Collective::bcast && caller.rank == arguments.root);
    return both && arguments.send.buffer == arguments.receive.buffer && arguments.send.count > 0 &&
           arguments.receive.count > 0;
}

/// The same of an all-to-all-v. Buffers of nothing may be the same, and a rank that then left the
/// call to the library would wait for the others for ever.
inline bool aliased(const Caller& caller, const VectorSide& send, const VectorSide& receive) {
    if (!aliasing_is_reported)
        return false;
    const auto any = [&](const int* counts) {
        return counts && std::any_of(counts, counts + caller.size, [](int one) { return one > 0; });
    };
    return send.buffer == receive.buffer && any(send.counts) && any(receive.counts);
}

/// That of `comm`, where calls of `collective` may be ours or are observed; else null: they are the
/// library's alone.
inline Communicator* concerned(MPI_Comm comm, Collective collective) {
    auto* const mine = Communicator::of(comm);
    return mine && (mine->takes(collective) || Job::present()->observed()) ? mine : nullptr;
}

/// Our own run of a blocking call; `own` is the library's. A call whose arguments make no sense is
/// left to the library to refuse.
template <typename Ours, typename Own>
int run_ours(Communicator& mine, MPI_Comm comm, Ours&& ours, Own&& own) try {
    if (auto opened = mine.open(); !opened)
        return report(comm, opened);
    const Status done = ours();
    if (!done && done.error().status == ExitStatus::bad_input)
        return own();
    return report(comm, done);
} catch (const std::bad_alloc&) {
    return report(comm, Error{"out of memory", ExitStatus::environment, MPI_ERR_NO_MEM});
}

/// Size and root of a call.
struct CallSize {
    Collective collective = Collective::bcast;
    std::uint64_t size_bytes = 0; ///< what rules look at
    std::uint64_t sent_bytes = 0; ///< ObservedCall::size_bytes
    int root = 0;
};

inline void tell(Communicator& mine, MPI_Comm comm, const CallSize& size, const Decision& decision,
                 bool nonblocking, double start_s, double duration_s) {
    Job::present()->observe({size.collective, comm, mine.ranks(), size.sent_bytes, size.root,
                             nonblocking, decision.choice, decision.why, start_s, duration_s});
}

template <typename Ours, typename Own>
int blocking(Communicator& mine, MPI_Comm comm, const CallSize& size, Ours&& ours, Own&& own) {
    const auto decision = mine.decide(size.collective, size.size_bytes);
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
        tell(mine, comm, size, decision, false, start_s, duration_s);
    return code;
}

/// What a call that ran returns. Other ranks may not know that buffers are the same, and wait for
/// this one: so it is said after the run.
inline int after_run(MPI_Comm comm, bool is_aliased, int code) {
    return code == MPI_SUCCESS && is_aliased
               ? report(comm, mpi::argument_error(MPI_ERR_BUFFER, "buffers are the same"))
               : code;
}

/// A call with one block size.
template <typename Own>
int blocking(MPI_Comm comm, const Arguments& arguments, Own&& own) {
    auto* const mine = concerned(comm, arguments.collective);
    if (!mine)
        return own();
    const auto bytes = block_bytes(mine->caller(), arguments);
    if (!bytes)
        return own();
    const int code = blocking(
        *mine, comm, {arguments.collective, *bytes, *bytes, arguments.root},
        [&] { return run(mine->state(), arguments); }, own);
    return after_run(comm, aliased(mine->caller(), arguments), code);
}

/// What this rank sends; 0 where the arguments make no sense.
std::uint64_t sent_bytes(const Caller& caller, const VectorSide& send, const VectorSide& receive);

/// Of an all-to-all-v, whose bytes only an observer wants to know.
inline CallSize vector_size(const Communicator& mine, const VectorSide& send,
                            const VectorSide& receive) {
    const bool observed = Job::present()->observed();
    return {Collective::alltoallv, 0, observed ? sent_bytes(mine.caller(), send, receive) : 0, 0};
}

template <typename Own>
int blocking(MPI_Comm comm, const VectorSide& send, const VectorSide& receive, Own&& own) {
    auto* const mine = concerned(comm, Collective::alltoallv);
    if (!mine)
        return own();
    const int code = blocking(
        *mine, comm, vector_size(*mine, send, receive),
        [&]() -> Status {
            auto call = Call::alltoallv(mine->caller(), send, receive);
            return call ? run(mine->state(), *call) : call.error();
        },
        own);
    return after_run(comm, aliased(mine->caller(), send, receive), code);
}

/// Whether we took the call; `code` is then what it returns. Else nothing was sent.
template <typename Make>
bool start_ours(Communicator& mine, MPI_Comm comm, MPI_Request* request, Make&& make,
                int& code) try {
    Result<Call> call = make();
    if (!call)
        return false;
    const auto started =
        start_request(mine.shared_state(), mine.at_once(), std::move(*call), request);
    if (!started && started.error().status != ExitStatus::environment)
        return false;
    code = report(comm, started);
    return true;
} catch (const std::bad_alloc&) {
    code = report(comm, Error{"out of memory", ExitStatus::environment, MPI_ERR_NO_MEM});
    return true;
}

/// Starts a call that make() makes; `own` is the library's.
template <typename Make, typename Own>
int nonblocking(Communicator& mine, MPI_Comm comm, const CallSize& size, MPI_Request* request,
                Make&& make, Own&& own) {
    const auto decision = mine.decide_nonblocking(size.collective, size.size_bytes);
    const bool observed = Job::present()->observed();
    const double start_s = observed ? PMPI_Wtime() : 0;
    auto ran = decision;
    int code = MPI_SUCCESS;
    if (const bool ours = decision.ours() && start_ours(mine, comm, request, make, code); !ours) {
        code = own();
        if (decision.ours())
            ran = left_to_library();
    }
    if (observed)
        tell(mine, comm, size, ran, true, start_s, PMPI_Wtime() - start_s);
    return code;
}

template <typename Own>
int nonblocking(MPI_Comm comm, const Arguments& arguments, MPI_Request* request, Own&& own) {
    auto* const mine = concerned(comm, arguments.collective);
    if (!mine)
        return own();
    const auto bytes = block_bytes(mine->caller(), arguments);
    if (!bytes || aliased(mine->caller(), arguments))
        return own();
    return nonblocking(
        *mine, comm, {arguments.collective, *bytes, *bytes, arguments.root}, request,
        [&] { return Call::of(mine->caller(), arguments); }, own);
}

template <typename Own>
int nonblocking(MPI_Comm comm, const VectorSide& send, const VectorSide& receive,
                MPI_Request* request, Own&& own) {
    auto* const mine = concerned(comm, Collective::alltoallv);
    if (!mine || aliased(mine->caller(), send, receive))
        return own();
    return nonblocking(
        *mine, comm, vector_size(*mine, send, receive), request,
        [&] { return Call::alltoallv(mine->caller(), send, receive); }, own);
}

} // namespace alltold::preload

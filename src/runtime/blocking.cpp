// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/blocking.hpp"

#include "runtime/library_call.hpp"

namespace alltold {

Result<const std::shared_ptr<const Program>*> prepare(CommunicatorState& mine, Call& call) {
    if (!mine.order().empty())
        call.reorder(mine.order());
    ALLTOLD_TRY(size_exchange, mine.size_exchange_before(call.shape()));
    if (*size_exchange) {
        SizeExchangeRun exchange;
        ALLTOLD_TRY_DONE(exchange.start(std::move(*size_exchange), call.shape().shares,
                                        mine.channel(),
                                        mine.open_calls()->blocking_tag(Collective::alltoallv)));
        ALLTOLD_TRY_DONE(exchange.wait());
        call.learn(std::move(exchange).relayed_bytes());
    }
    return mine.program_for(call.shape());
}

namespace {

/// Whether MPI looks at this side's arguments on this rank; others may be anything.
bool sends(const Arguments& arguments, bool is_root) {
    return arguments.collective == Collective::scatter ? is_root
                                                       : arguments.collective != Collective::bcast;
}

bool receives(const Arguments& arguments, bool is_root) {
    return arguments.collective != Collective::gather || is_root;
}

/// Whether a later call with equal arguments can run without checks: in the caller's memory, with
/// types and operators that no one can free.
bool can_repeat(const Arguments& arguments, const Call& call) {
    const bool is_root = call.caller().rank == arguments.root;
    if (!traits_of(arguments.collective).has_data)
        return true;
    return call.direct() && arguments.send.buffer != MPI_IN_PLACE &&
           arguments.receive.buffer != MPI_IN_PLACE &&
           (!sends(arguments, is_root) || is_named(arguments.send.type)) &&
           (!receives(arguments, is_root) || is_named(arguments.receive.type)) &&
           (arguments.op == MPI_OP_NULL || is_predefined(arguments.op));
}

Status execute(CommunicatorState& mine, const Program& program, Collective collective,
               Memory memory) {
    memory.scratch = mine.idle_scratch(program.schedule().scratch_bytes());
    const int tag = mine.open_calls()->blocking_tag(collective);
    return mpi::check(mine.idle_execution().run(program, memory, mine.channel(), tag),
                      "alltold's collective");
}

Status execute(CommunicatorState& mine, const Program& program, Call& prepared) {
    auto done = execute(mine, program, prepared.shape().collective, prepared.memory());
    return done ? prepared.finish() : done;
}

} // namespace

Status run(CommunicatorState& mine, Call& call) {
    const auto prepared = prepare(mine, call);
    return prepared ? execute(mine, ***prepared, call) : prepared.error();
}

Status run(CommunicatorState& mine, const Arguments& arguments) {
    if (const auto* last = mine.repeats().find(arguments)) {
        const auto* from = static_cast<const std::byte*>(arguments.send.buffer);
        auto* into = static_cast<std::byte*>(const_cast<void*>(arguments.receive.buffer));
        return execute(
            mine, *last->program, arguments.collective,
            {from, into, nullptr, last->reducer.get(), reports_short(arguments.collective)});
    }
    if (runs_library(mine, arguments))
        return run_library(mine.plain(), arguments);
    ALLTOLD_TRY(call, Call::of(mine.caller(), arguments));
    ALLTOLD_TRY(prepared, prepare(mine, *call));
    if (can_repeat(arguments, *call))
        mine.repeats().keep({arguments, **prepared, call->reducer()});
    return execute(mine, ***prepared, *call);
}

} // namespace alltold

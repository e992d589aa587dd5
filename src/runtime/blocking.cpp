// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls: prepared, run and unpacked.
#include "runtime/blocking.hpp"

#include "runtime/library_call.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold {

Result<const std::shared_ptr<const Program>*> prepare(CommunicatorState& mine, Call& call) {
    if (!mine.order().empty())
        call.reorder(mine.order());
    auto size_exchange = mine.size_exchange_before(call.shape());
    if (!size_exchange)
        return size_exchange.error();
    if (*size_exchange) {
        SizeExchangeRun exchange;
        if (auto started = exchange.start(std::move(*size_exchange), call.shape().shares,
                                          mine.channel(), OpenCalls::blocking_tag());
            !started)
            return started.error();
        if (auto done = exchange.wait(); !done)
            return done.error();
        call.learn(std::move(exchange).relayed_bytes());
    }
    return mine.program_for(call.shape());
}

namespace {

Status execute(CommunicatorState& mine, const Program& program, Memory memory) {
    memory.scratch = mine.idle_scratch(program.schedule().scratch_bytes());
    return mpi::check(
        mine.idle_execution().run(program, memory, mine.channel(), OpenCalls::blocking_tag()),
        "alltold's collective");
}

Status execute(CommunicatorState& mine, const Program& program, Call& prepared) {
    auto done = execute(mine, program, prepared.memory());
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
        return execute(mine, *last->program, {from, into, nullptr, last->reducer.get()});
    }
    if (runs_library(mine, arguments))
        return run_library(mine.plain(), arguments);
    auto call = Call::of(mine.caller(), arguments);
    if (!call)
        return call.error();
    const auto prepared = prepare(mine, *call);
    if (!prepared)
        return prepared.error();
    mine.repeats().keep(arguments, *call, **prepared);
    return execute(mine, ***prepared, *call);
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls: prepared, run and unpacked.
#include "runtime/blocking.hpp"

#include "runtime/library_call.hpp"

namespace alltold {

Result<const std::shared_ptr<const Program>*> prepare(CommunicatorState& mine, Call& call,
                                                      int& code) {
    if (!mine.order().empty())
        call.reorder(mine.order());
    auto size_exchange = mine.size_exchange_before(call.shape());
    if (!size_exchange)
        return size_exchange.error();
    if (*size_exchange) {
        SizeExchangeRun exchange;
        code = exchange.start(std::move(*size_exchange), call.shape().shares, mine.channel(),
                              mine.take_tags());
        if (code == MPI_SUCCESS)
            code = exchange.wait();
        if (code != MPI_SUCCESS)
            return nullptr;
        call.learn(std::move(exchange).relayed_bytes());
    }
    return mine.program_for(call.shape());
}

namespace {

int execute(CommunicatorState& mine, const Program& program, Memory memory) {
    memory.scratch = mine.idle_scratch(program.schedule().scratch_bytes());
    return mine.idle_execution().run(program, memory, mine.channel(), mine.take_tags());
}

int execute(CommunicatorState& mine, const Program& program, Call& prepared) {
    const int code = execute(mine, program, prepared.memory());
    return code == MPI_SUCCESS ? prepared.finish() : code;
}

} // namespace

Result<int> run(CommunicatorState& mine, Call& call) {
    int code = MPI_SUCCESS;
    const auto prepared = prepare(mine, call, code);
    if (!prepared)
        return prepared.error();
    return code == MPI_SUCCESS ? execute(mine, ***prepared, call) : code;
}

Result<int> run(CommunicatorState& mine, const Arguments& arguments) {
    const auto& [collective, send, receive, root] = arguments;
    if (const auto* program = mine.repeats().find(arguments)) {
        const auto* from = static_cast<const std::byte*>(send.buffer);
        auto* into = static_cast<std::byte*>(const_cast<void*>(receive.buffer));
        return execute(mine, *program, {from, into, nullptr});
    }
    if (runs_library(mine, arguments))
        return run_library(mine, arguments);
    int code = MPI_SUCCESS;
    auto call = Call::of(mine.caller(), arguments, code);
    if (code != MPI_SUCCESS)
        return code;
    const auto prepared = prepare(mine, call, code);
    if (!prepared)
        return prepared.error();
    mine.repeats().keep(arguments, call, **prepared);
    return execute(mine, ***prepared, call);
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls: prepared, run and unpacked.
#include "runtime/blocking.hpp"

#include "runtime/library_call.hpp"

namespace alltold {

Result<const std::shared_ptr<const Program>*> prepare(Communicator& mine, Call& call, int& code) {
    if (!mine.order().empty())
        call.reorder(mine.order());
    auto talk = mine.talk_before(call.shape());
    if (!talk)
        return talk.error();
    if (*talk) {
        Telling telling;
        code =
            telling.start(std::move(*talk), call.shape().shares, mine.channel(), mine.take_tags());
        if (code == MPI_SUCCESS)
            code = telling.wait();
        if (code != MPI_SUCCESS)
            return nullptr;
        call.learn(std::move(telling).relayed_bytes());
    }
    return mine.program_for(call.shape());
}

namespace {

int play(Communicator& mine, const Program& program, Memory memory) {
    memory.scratch = mine.idle_scratch(program.schedule().scratch_bytes());
    return mine.idle_execution().run(program, memory, mine.channel(), mine.take_tags());
}

int play(Communicator& mine, const Program& program, Call& prepared) {
    const int code = play(mine, program, prepared.memory());
    return code == MPI_SUCCESS ? prepared.finish() : code;
}

} // namespace

Result<int> run(Communicator& mine, Call& call) {
    int code = MPI_SUCCESS;
    const auto prepared = prepare(mine, call, code);
    if (!prepared)
        return prepared.error();
    return code == MPI_SUCCESS ? play(mine, ***prepared, call) : code;
}

Result<int> run(Communicator& mine, const Arguments& arguments) {
    const auto& [collective, send, receive, root] = arguments;
    if (const auto* program = mine.repeats().find(arguments)) {
        const auto* from = static_cast<const std::byte*>(send.buffer);
        auto* into = static_cast<std::byte*>(const_cast<void*>(receive.buffer));
        return play(mine, *program, {from, into, nullptr});
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
    return play(mine, ***prepared, call);
}

} // namespace alltold

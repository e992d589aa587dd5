// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls: prepared, run and unpacked.
#include "runtime/blocking.hpp"

namespace alltold {

Result<const std::shared_ptr<const Program>*> prepare(Communicator& mine, Call& call) {
    if (!mine.order().empty())
        call.reorder(mine.order());
    if (const auto* program = mine.find(call.shape()))
        return program;
    return mine.make(call.shape());
}

Result<int> run(Communicator& mine, Call& call) {
    const auto prepared = prepare(mine, call);
    if (!prepared)
        return prepared.error();
    const Program& program = ***prepared;
    auto memory = call.memory();
    memory.scratch = mine.idle_scratch(program.schedule().scratch_bytes());
    const int code = mine.idle_execution().run(program, memory, mine.channel(), mine.take_tags());
    return code == MPI_SUCCESS ? call.finish() : code;
}

} // namespace alltold

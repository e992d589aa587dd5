// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls: prepared, run and unpacked.
#include "runtime/blocking.hpp"

namespace alltold {

Result<Prepared> prepare(Communicator& mine, Call& call) {
    if (!mine.order().empty())
        call.reorder(mine.order());
    return mine.prepare(call.shape());
}

Result<int> run(Communicator& mine, Call& call) {
    const auto prepared = prepare(mine, call);
    if (!prepared)
        return prepared.error();
    auto memory = call.memory();
    memory.scratch = mine.idle_scratch(prepared->program->schedule().scratch_bytes());
    const int code =
        mine.idle_execution().run(*prepared->program, memory, mine.channel(), prepared->first_tag);
    return code == MPI_SUCCESS ? call.finish() : code;
}

} // namespace alltold

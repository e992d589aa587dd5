// SPDX-License-Identifier: BSD-3-Clause
// Errors and sizes of the program's calls.
#include "preload/calls.hpp"

#include <algorithm>

#include "preload/operands.hpp"
#include "runtime/execute/reducer.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {
namespace {

/// The size of all blocks of one side; 0 for invalid arguments.
std::uint64_t bytes_of(const Caller& caller, const VectorSide& side) {
    int type_bytes = 0;
    if (side.type == MPI_DATATYPE_NULL || !side.counts ||
        PMPI_Type_size(side.type, &type_bytes) != MPI_SUCCESS || type_bytes < 0)
        return 0;
    std::uint64_t items = 0;
    for (int rank = 0; rank < caller.size; ++rank)
        items += static_cast<std::uint64_t>(std::max(side.counts[rank], 0));
    return items * static_cast<std::uint64_t>(type_bytes);
}

} // namespace

int report(MPI_Comm comm, const Status& status) {
    if (status)
        return MPI_SUCCESS;
    const int code = mpi::code_of(status);
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

std::optional<RegularCall> regular(const ProgramCommunicator& mine, const Arguments& arguments,
                                   bool may_free) {
    const auto bytes = block_bytes(mine.caller(), arguments);
    if (!bytes || wrongly_in_place(mine.caller(), arguments))
        return {};
    RegularCall call{{arguments.collective, *bytes, *bytes}, arguments};
    const bool same = same_memory(mine.caller(), arguments, *bytes);
    if (same)
        call.refusal = same_memory_refusal(arguments.collective, arguments.receive.count);
    if (!mine.takes(arguments.collective) || !traits_of(arguments.collective).reduces)
        return call;
    const auto operands = operands_of(arguments.op, arguments.send.type);
    call.sized.exact = operands.exact;
    call.sized.suits =
        operands.known && (!may_free || is_predefined(arguments.op)) &&
        std::ranges::all_of(mine.state().choices().candidates_of(arguments.collective, *bytes),
                            [&](const Candidate& candidate) {
                                const auto* algorithm = candidate.choice.algorithm;
                                return !algorithm ||
                                       suits_operator(mine.state(), *algorithm, arguments);
                            });
    if (same) // our algorithms write to one while they read the other
        call.arguments.send.buffer = MPI_IN_PLACE;
    return call;
}

SizedCall vector_size(const ProgramCommunicator& mine, const VectorSide& send,
                      const VectorSide& receive) {
    SizedCall call{Collective::alltoallv};
    call.sent_bytes = bytes_of(mine.caller(), send.buffer == MPI_IN_PLACE ? receive : send);
    return call;
}

} // namespace alltold::preload

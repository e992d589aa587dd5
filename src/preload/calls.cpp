// SPDX-License-Identifier: BSD-3-Clause
// Errors and sizes of the program's calls.
#include "preload/calls.hpp"

#include <algorithm>

#include "preload/operands.hpp"
#include "runtime/execute/reducer.hpp"
#include "runtime/mpi/error.hpp"

namespace alltold::preload {
namespace {

/// The size of all blocks of one side; empty for invalid arguments.
std::optional<std::uint64_t> bytes_of(const Caller& caller, const VectorSide& side) {
    MPI_Count type_bytes = 0;
    if (side.type == MPI_DATATYPE_NULL || !side.counts || !side.displacements ||
        PMPI_Type_size_x(side.type, &type_bytes) != MPI_SUCCESS || type_bytes < 0)
        return {};
    std::uint64_t items = 0;
    for (int rank = 0; rank < caller.size; ++rank) {
        if (side.counts[rank] < 0)
            return {};
        items += static_cast<std::uint64_t>(side.counts[rank]);
    }
    return items * static_cast<std::uint64_t>(type_bytes);
}

bool is_valid(const Side& side) {
    return side.buffer == MPI_IN_PLACE || (side.count >= 0 && side.type != MPI_DATATYPE_NULL);
}

bool are_valid(const Caller& caller, const Arguments& arguments) {
    const auto used = used_sides(caller, arguments);
    return caller.check_root(arguments.root) && (!used.send || is_valid(arguments.send)) &&
           (!used.receive || is_valid(arguments.receive)) && !wrongly_in_place(caller, arguments);
}

} // namespace

int report(MPI_Comm comm, const Status& status) {
    return status ? MPI_SUCCESS : raise_error(comm, mpi::code_of(status));
}

void retire_for(MPI_Op op) {
    if (op == MPI_OP_NULL || is_predefined(op) || !ProgressThread::exists())
        return;
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE)
        ProgressThread::retire();
}

std::optional<RegularCall> regular(const ProgramCommunicator& mine, const Arguments& arguments,
                                   bool may_free) {
    const auto bytes = block_bytes(mine.caller(), arguments);
    if (!bytes || !are_valid(mine.caller(), arguments))
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

bool others_wait(ProgramCommunicator& mine, const RegularCall& call) {
    auto arguments = call.arguments;
    auto& state = mine.state();
    const bool to_root =
        arguments.collective == Collective::gather || arguments.collective == Collective::reduce;
    const bool wait =
        to_root && std::ranges::any_of(
                       state.choices().candidates_of(arguments.collective, call.sized.size_bytes),
                       [&](const Candidate& candidate) {
                           const auto* const algorithm = candidate.choice.algorithm;
                           if (!algorithm || algorithm->window != Algorithm::Use::no)
                               return algorithm != nullptr; // they send synchronously
                           arguments.picked = &candidate.choice;
                           auto made = Call::of(mine.caller(), arguments);
                           if (!made)
                               return false;
                           if (!state.order().empty())
                               made->reorder(state.order());
                           const auto program = state.program_for(made->shape());
                           return program &&
                                  std::ranges::any_of((**program)->schedule().operations(),
                                                      &Operation::is_outgoing);
                       });
    if (!wait)
        mine.go_without_call();
    return wait;
}

std::optional<SizedCall> vector_size(const ProgramCommunicator& mine, const VectorSide& send,
                                     const VectorSide& receive) {
    const auto received = bytes_of(mine.caller(), receive);
    const auto sent = send.buffer == MPI_IN_PLACE ? received : bytes_of(mine.caller(), send);
    if (!received || !sent || receive.buffer == MPI_IN_PLACE ||
        refusal_of(mine.caller(), send, receive) != MPI_SUCCESS)
        return {};
    SizedCall call{Collective::alltoallv};
    call.sent_bytes = *sent;
    return call;
}

} // namespace alltold::preload

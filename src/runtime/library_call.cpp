// SPDX-License-Identifier: BSD-3-Clause
// A call's size, and MPI's collectives by ours.
#include "runtime/library_call.hpp"

#include "runtime/mpi/error.hpp"

namespace alltold {
namespace {

/// The side whose count and type MPI looks at on this rank, and that says how large a block is.
const Side& sized_side(const Caller& caller, const Arguments& arguments) {
    const bool is_root = caller.rank == arguments.root;
    const bool sends = arguments.collective == Collective::scatter
                           ? is_root
                           : arguments.collective == Collective::gather && !is_root;
    return sends ? arguments.send : arguments.receive;
}

} // namespace

std::optional<std::uint64_t> block_bytes(const Caller& caller, const Arguments& arguments) {
    const auto& side = sized_side(caller, arguments);
    int type_bytes = 0;
    if (side.count < 0 || side.type == MPI_DATATYPE_NULL ||
        PMPI_Type_size(side.type, &type_bytes) != MPI_SUCCESS || type_bytes < 0)
        return {};
    return static_cast<std::uint64_t>(side.count) * static_cast<std::uint64_t>(type_bytes);
}

bool runs_library(const CommunicatorState& mine, const Arguments& arguments) {
    if (!mine.choices().may_run_library(arguments.collective))
        return false;
    const auto size_bytes = block_bytes(mine.caller(), arguments);
    return size_bytes && !mine.choices().choice_of(arguments.collective, *size_bytes).algorithm;
}

Status run_library(const CommunicatorState& mine, const Arguments& arguments) {
    const auto& [collective, send, receive, root] = arguments;
    auto* into = const_cast<void*>(receive.buffer);
    switch (collective) {
    case Collective::bcast:
        return mpi::check(PMPI_Bcast(into, receive.count, receive.type, root, mine.plain()),
                          "MPI_Bcast");
    case Collective::scatter:
        return mpi::check(PMPI_Scatter(send.buffer, send.count, send.type, into, receive.count,
                                       receive.type, root, mine.plain()),
                          "MPI_Scatter");
    case Collective::gather:
        return mpi::check(PMPI_Gather(send.buffer, send.count, send.type, into, receive.count,
                                      receive.type, root, mine.plain()),
                          "MPI_Gather");
    case Collective::alltoall:
        return mpi::check(PMPI_Alltoall(send.buffer, send.count, send.type, into, receive.count,
                                        receive.type, mine.plain()),
                          "MPI_Alltoall");
    case Collective::alltoallv:
        break;
    }
    return mpi::argument_error(MPI_ERR_ARG, "an all-to-all-v has counts for every rank");
}

Status start_library(const CommunicatorState& mine, const Arguments& arguments,
                     MPI_Request* request) {
    const auto& [collective, send, receive, root] = arguments;
    auto* into = const_cast<void*>(receive.buffer);
    switch (collective) {
    case Collective::bcast:
        return mpi::check(
            PMPI_Ibcast(into, receive.count, receive.type, root, mine.plain(), request),
            "MPI_Ibcast");
    case Collective::scatter:
        return mpi::check(PMPI_Iscatter(send.buffer, send.count, send.type, into, receive.count,
                                        receive.type, root, mine.plain(), request),
                          "MPI_Iscatter");
    case Collective::gather:
        return mpi::check(PMPI_Igather(send.buffer, send.count, send.type, into, receive.count,
                                       receive.type, root, mine.plain(), request),
                          "MPI_Igather");
    case Collective::alltoall:
        return mpi::check(PMPI_Ialltoall(send.buffer, send.count, send.type, into, receive.count,
                                         receive.type, mine.plain(), request),
                          "MPI_Ialltoall");
    case Collective::alltoallv:
        break;
    }
    return mpi::argument_error(MPI_ERR_ARG, "an all-to-all-v has counts for every rank");
}

} // namespace alltold

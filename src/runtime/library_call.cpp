// SPDX-License-Identifier: BSD-3-Clause
// A call's size, and MPI's collectives by ours.
#include "runtime/library_call.hpp"

#include "runtime/execute/reducer.hpp"
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
    if (!traits_of(arguments.collective).has_data)
        return 0;
    const auto& side = sized_side(caller, arguments);
    MPI_Count type_bytes = 0;
    if (side.count < 0 || side.type == MPI_DATATYPE_NULL ||
        PMPI_Type_size_x(side.type, &type_bytes) != MPI_SUCCESS || type_bytes < 0)
        return {};
    return static_cast<std::uint64_t>(side.count) * static_cast<std::uint64_t>(type_bytes);
}

namespace {

/// Whether our algorithm may combine as the operator of a reduction needs: in the order of the
/// caller's ranks if it does not commute, and always in a scan.
bool suits_operator(const CommunicatorState& mine, const Algorithm& algorithm,
                    const Arguments& arguments) {
    const bool prefixes =
        arguments.collective == Collective::scan || arguments.collective == Collective::exscan;
    if (prefixes && !mine.order().empty())
        return false;
    if (is_predefined(arguments.op))
        return true;
    int commutative = 0;
    if (PMPI_Op_commutative(arguments.op, &commutative) != MPI_SUCCESS)
        return false;
    return commutative || (algorithm.in_order && mine.order().empty());
}

Status no_counts() {
    return mpi::argument_error(MPI_ERR_ARG, "an all-to-all-v has counts for every rank");
}

} // namespace

bool runs_library(const CommunicatorState& mine, const Arguments& arguments) {
    const auto collective = arguments.collective;
    const bool reduces = traits_of(collective).reduces;
    if (!reduces && !mine.choices().may_run_library(collective))
        return false;
    const auto size_bytes = block_bytes(mine.caller(), arguments);
    if (!size_bytes)
        return false;
    const auto* algorithm = mine.choices().choice_of(collective, *size_bytes).algorithm;
    return !algorithm ||
           (reduces && arguments.op != MPI_OP_NULL && !suits_operator(mine, *algorithm, arguments));
}

bool starts_library(const CommunicatorState& mine, const Arguments& arguments) {
    return (arguments.op != MPI_OP_NULL && !is_predefined(arguments.op)) ||
           runs_library(mine, arguments);
}

Status run_library(MPI_Comm comm, const Arguments& arguments) {
    const auto& [collective, send, receive, root, op] = arguments;
    auto* into = const_cast<void*>(receive.buffer);
    switch (collective) {
    case Collective::bcast:
        return mpi::check(PMPI_Bcast(into, receive.count, receive.type, root, comm), "MPI_Bcast");
    case Collective::scatter:
        return mpi::check(PMPI_Scatter(send.buffer, send.count, send.type, into, receive.count,
                                       receive.type, root, comm),
                          "MPI_Scatter");
    case Collective::gather:
        return mpi::check(PMPI_Gather(send.buffer, send.count, send.type, into, receive.count,
                                      receive.type, root, comm),
                          "MPI_Gather");
    case Collective::alltoall:
        return mpi::check(PMPI_Alltoall(send.buffer, send.count, send.type, into, receive.count,
                                        receive.type, comm),
                          "MPI_Alltoall");
    case Collective::allgather:
        return mpi::check(PMPI_Allgather(send.buffer, send.count, send.type, into, receive.count,
                                         receive.type, comm),
                          "MPI_Allgather");
    case Collective::reduce:
        return mpi::check(PMPI_Reduce(send.buffer, into, send.count, send.type, op, root, comm),
                          "MPI_Reduce");
    case Collective::allreduce:
        return mpi::check(PMPI_Allreduce(send.buffer, into, send.count, send.type, op, comm),
                          "MPI_Allreduce");
    case Collective::reduce_scatter_block:
        return mpi::check(
            PMPI_Reduce_scatter_block(send.buffer, into, send.count, send.type, op, comm),
            "MPI_Reduce_scatter_block");
    case Collective::scan:
        return mpi::check(PMPI_Scan(send.buffer, into, send.count, send.type, op, comm),
                          "MPI_Scan");
    case Collective::exscan:
        return mpi::check(PMPI_Exscan(send.buffer, into, send.count, send.type, op, comm),
                          "MPI_Exscan");
    case Collective::barrier:
        return mpi::check(PMPI_Barrier(comm), "MPI_Barrier");
    case Collective::alltoallv:
        break;
    }
    return no_counts();
}

Status start_library(MPI_Comm comm, const Arguments& arguments, MPI_Request* request) {
    const auto& [collective, send, receive, root, op] = arguments;
    auto* into = const_cast<void*>(receive.buffer);
    switch (collective) {
    case Collective::bcast:
        return mpi::check(PMPI_Ibcast(into, receive.count, receive.type, root, comm, request),
                          "MPI_Ibcast");
    case Collective::scatter:
        return mpi::check(PMPI_Iscatter(send.buffer, send.count, send.type, into, receive.count,
                                        receive.type, root, comm, request),
                          "MPI_Iscatter");
    case Collective::gather:
        return mpi::check(PMPI_Igather(send.buffer, send.count, send.type, into, receive.count,
                                       receive.type, root, comm, request),
                          "MPI_Igather");
    case Collective::alltoall:
        return mpi::check(PMPI_Ialltoall(send.buffer, send.count, send.type, into, receive.count,
                                         receive.type, comm, request),
                          "MPI_Ialltoall");
    case Collective::allgather:
        return mpi::check(PMPI_Iallgather(send.buffer, send.count, send.type, into, receive.count,
                                          receive.type, comm, request),
                          "MPI_Iallgather");
    case Collective::reduce:
        return mpi::check(
            PMPI_Ireduce(send.buffer, into, send.count, send.type, op, root, comm, request),
            "MPI_Ireduce");
    case Collective::allreduce:
        return mpi::check(
            PMPI_Iallreduce(send.buffer, into, send.count, send.type, op, comm, request),
            "MPI_Iallreduce");
    case Collective::reduce_scatter_block:
        return mpi::check(
            PMPI_Ireduce_scatter_block(send.buffer, into, send.count, send.type, op, comm, request),
            "MPI_Ireduce_scatter_block");
    case Collective::scan:
        return mpi::check(PMPI_Iscan(send.buffer, into, send.count, send.type, op, comm, request),
                          "MPI_Iscan");
    case Collective::exscan:
        return mpi::check(PMPI_Iexscan(send.buffer, into, send.count, send.type, op, comm, request),
                          "MPI_Iexscan");
    case Collective::barrier:
        return mpi::check(PMPI_Ibarrier(comm, request), "MPI_Ibarrier");
    case Collective::alltoallv:
        break;
    }
    return no_counts();
}

} // namespace alltold

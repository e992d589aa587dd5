// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/library_call.hpp"

#include <climits>

#include "runtime/collective_table.hpp"

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

bool runs_library(const CommunicatorState& mine, const Arguments& arguments) {
    const auto collective = arguments.collective;
    const bool reduces = traits_of(collective).reduces;
    if (!reduces && (arguments.picked || !mine.choices().may_run_library(collective)))
        return false;
    const auto size_bytes = block_bytes(mine.caller(), arguments);
    if (!size_bytes)
        return false;
    const auto* algorithm =
        (arguments.picked ? *arguments.picked : mine.choices().choice_of(collective, *size_bytes))
            .algorithm;
    return !algorithm ||
           (reduces && arguments.op != MPI_OP_NULL && !suits_operator(mine, *algorithm, arguments));
}

bool starts_library(const CommunicatorState& mine, const Arguments& arguments) {
    return (arguments.op != MPI_OP_NULL && !is_predefined(arguments.op)) ||
           runs_library(mine, arguments);
}

Status run_library(MPI_Comm comm, const Arguments& arguments) {
    if (std::max(arguments.send.count, arguments.receive.count) > INT_MAX)
        return mpi::argument_error(MPI_ERR_COUNT, "a count above 2^31-1");
    ALLTOLD_NAMED(arguments);
    switch (collective) {
#define RUN(Name, name, PARAMETERS, ARGUMENTS, ...)                                                \
    case Collective::name:                                                                         \
        return ALLTOLD_PMPI(Name, ALLTOLD_LEADING ARGUMENTS comm);
        ALLTOLD_REGULAR_COLLECTIVES(RUN)
#undef RUN
    case Collective::alltoallv:
        break;
    }
    return mpi::argument_error(MPI_ERR_ARG, "an all-to-all-v has counts for every rank");
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The reductions of both libraries, by name.
#include "reduction_calls.hpp"

#include <vector>

namespace oracle {
namespace {

/// Counts of a reduction with one for every rank, which are equal.
std::vector<int> counts(const World& world, int count) {
    return std::vector<int>(static_cast<std::size_t>(world.size), count);
}

} // namespace

int run_theirs(const World& world, const std::string& collective, const ReductionCall& call) {
    const auto& [send, receive, count, type, op, root] = call;
    if (collective == "reduce")
        return MPI_Reduce(send, receive, count, type, op, root, world.comm);
    if (collective == "allreduce")
        return MPI_Allreduce(send, receive, count, type, op, world.comm);
    if (collective == "reduce_scatter_block")
        return MPI_Reduce_scatter_block(send, receive, count, type, op, world.comm);
    if (collective == "scan")
        return MPI_Scan(send, receive, count, type, op, world.comm);
    if (collective == "exscan")
        return MPI_Exscan(send, receive, count, type, op, world.comm);
    return MPI_ERR_UNKNOWN;
}

int run_ours(const World& world, const std::string& collective, const ReductionCall& call) {
    const auto& [send, receive, count, type, op, root] = call;
    if (collective == "reduce")
        return alltold_reduce(send, receive, count, type, op, root, world.comm);
    if (collective == "allreduce")
        return alltold_allreduce(send, receive, count, type, op, world.comm);
    if (collective == "reduce_scatter_block" && root % 2) // by its vector form
        return alltold_reduce_scatter(send, receive, counts(world, count).data(), type, op,
                                      world.comm);
    if (collective == "reduce_scatter_block")
        return alltold_reduce_scatter_block(send, receive, count, type, op, world.comm);
    if (collective == "scan")
        return alltold_scan(send, receive, count, type, op, world.comm);
    if (collective == "exscan")
        return alltold_exscan(send, receive, count, type, op, world.comm);
    return MPI_ERR_UNKNOWN;
}

int start_ours(const World& world, const std::string& collective, const ReductionCall& call,
               int seed) {
    const auto& [send, receive, count, type, op, root] = call;
    alltold_request request = ALLTOLD_REQUEST_NULL;
    if (collective == "reduce")
        return finish(alltold_ireduce(send, receive, count, type, op, root, world.comm, &request),
                      &request, seed);
    if (collective == "allreduce")
        return finish(alltold_iallreduce(send, receive, count, type, op, world.comm, &request),
                      &request, seed);
    if (collective == "reduce_scatter_block" && root % 2) {
        const auto all = counts(world, count);
        return finish(
            alltold_ireduce_scatter(send, receive, all.data(), type, op, world.comm, &request),
            &request, seed);
    }
    if (collective == "reduce_scatter_block")
        return finish(
            alltold_ireduce_scatter_block(send, receive, count, type, op, world.comm, &request),
            &request, seed);
    if (collective == "scan")
        return finish(alltold_iscan(send, receive, count, type, op, world.comm, &request), &request,
                      seed);
    if (collective == "exscan")
        return finish(alltold_iexscan(send, receive, count, type, op, world.comm, &request),
                      &request, seed);
    return MPI_ERR_UNKNOWN;
}

} // namespace oracle

// SPDX-License-Identifier: BSD-3-Clause
// MPI's rules on which arguments count, and where buffers may be the same.
#include "preload/arguments.hpp"

namespace alltold::preload {

UsedSides used_sides(const Caller& caller, const Arguments& arguments) {
    const bool is_root = caller.rank == arguments.root;
    switch (arguments.collective) {
    case Collective::bcast:
        return {false, true};
    case Collective::scatter:
        return {is_root, true};
    case Collective::gather:
    case Collective::reduce:
        return {true, is_root};
    case Collective::barrier:
        return {false, false};
    default:
        return {};
    }
}

bool wrongly_in_place(const Caller& caller, const Arguments& arguments) {
    const bool sends = arguments.send.buffer == MPI_IN_PLACE;
    const bool receives = arguments.receive.buffer == MPI_IN_PLACE;
    if (!sends && !receives)
        return false;
    const auto used = used_sides(caller, arguments);
    const bool scatters = arguments.collective == Collective::scatter;
    return (sends && used.send && (scatters || !used.receive)) ||
           (receives && used.receive && !(scatters && used.send));
}

bool same_memory(const Caller& caller, const Arguments& arguments, std::uint64_t block_bytes) {
    const auto& [collective, send, receive, root, op, picked] = arguments;
    if (send.count == 0 || send.count != receive.count || send.type != receive.type)
        return false;
    const auto* from = static_cast<const std::byte*>(send.buffer);
    const auto* into = static_cast<const std::byte*>(receive.buffer);
    const auto own_block = static_cast<std::uint64_t>(caller.rank) * block_bytes;
    if (collective == Collective::scatter)
        from += own_block;
    if (collective == Collective::gather || collective == Collective::allgather)
        into += own_block;
    const auto used = used_sides(caller, arguments);
    return from == into && used.send && used.receive;
}

int same_memory_refusal([[maybe_unused]] Collective collective, [[maybe_unused]] MPI_Count count) {
#ifdef MPICH_VERSION
    return MPI_ERR_BUFFER;
#else // as Open MPI 4.1
    if (collective == Collective::allreduce && count > 1)
        return MPI_ERR_BUFFER;
    return collective == Collective::reduce ? MPI_ERR_ARG : MPI_SUCCESS;
#endif
}

int refusal_of(const Caller& caller, const VectorSide& send, const VectorSide& receive) {
    const int refusal = same_memory_refusal(Collective::alltoallv, 1);
    if (refusal == MPI_SUCCESS)
        return refusal;
    if (send.buffer != receive.buffer || send.type != receive.type || !send.counts ||
        send.counts != receive.counts)
        return MPI_SUCCESS;
    bool any = false;
    for (int rank = 0; rank < caller.size; ++rank)
        any |= send.counts[rank] > 0;
    return any ? refusal : MPI_SUCCESS;
}

} // namespace alltold::preload

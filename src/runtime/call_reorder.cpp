// SPDX-License-Identifier: BSD-3-Clause
// Renumbering the ranks of a call, for clusters whose ranks are not neighbours.
#include "runtime/call.hpp"

namespace alltold {
namespace {

void permute(std::vector<std::uint64_t>& values, std::span<const int> order) {
    std::vector<std::uint64_t> result;
    for (const int rank : order)
        result.push_back(values[static_cast<std::size_t>(rank)]);
    values = std::move(result);
}

} // namespace

const std::byte* Call::reordered_send(std::span<const int> order) {
    const auto block = shape_.size_bytes;
    auto* copy = own_bytes(block * order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        std::copy_n(memory_.send + static_cast<std::uint64_t>(order[i]) * block, block,
                    copy + i * block);
    return copy;
}

std::byte* Call::reordered_receive(std::span<const int> order) {
    const auto block = shape_.size_bytes;
    auto* copy = own_bytes(block * order.size());
    const auto bytes = *Layout::of(MPI_BYTE); // a predefined type: never fails
    for (std::size_t i = 0; i < order.size(); ++i)
        unpack_.push_back({bytes, copy + i * block,
                           memory_.receive + static_cast<std::uint64_t>(order[i]) * block,
                           static_cast<std::int64_t>(block)});
    return copy;
}

void Call::reorder(std::span<const int> order) {
    const bool is_root = caller_.rank == shape_.root;
    switch (shape_.collective) {
    case Collective::bcast:
        break;
    case Collective::scatter:
        if (is_root)
            memory_.send = reordered_send(order);
        break;
    case Collective::gather:
        if (is_root)
            memory_.receive = reordered_receive(order);
        break;
    case Collective::alltoall:
        memory_.send = reordered_send(order);
        memory_.receive = reordered_receive(order);
        return; // it has no root
    case Collective::allgather:
        memory_.receive = reordered_receive(order);
        return;
    case Collective::reduce_scatter_block:
        memory_.send = reordered_send(order);
        return;
    case Collective::reduce:
        break;
    case Collective::allreduce:
    case Collective::scan: // not run on ranks in another order: see CommunicatorState
    case Collective::exscan:
    case Collective::barrier:
        return;
    case Collective::alltoallv:
        permute(shape_.shares.send_bytes, order);
        permute(shape_.shares.send_offsets, order);
        permute(shape_.shares.receive_bytes, order);
        permute(shape_.shares.receive_offsets, order);
        return;
    }
    shape_.root =
        static_cast<int>(std::find(order.begin(), order.end(), shape_.root) - order.begin());
}

} // namespace alltold

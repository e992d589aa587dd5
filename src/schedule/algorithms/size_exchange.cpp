// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithms/size_exchange.hpp"

#include <numeric>

namespace alltold {
namespace {

/// Appends a block of `sizes` sizes.
void append(std::vector<std::uint64_t>& bytes, std::vector<std::uint64_t>& offsets,
            std::size_t sizes) {
    offsets.push_back(bytes.empty() ? 0 : offsets.back() + bytes.back());
    bytes.push_back(sizes * sizeof(SizeExchange::Size));
}

} // namespace

std::size_t SizeExchange::received_sizes() const {
    return std::accumulate(shares.receive_bytes.begin(), shares.receive_bytes.end(),
                           std::size_t{0}) /
           sizeof(Size);
}

SizeExchange size_exchange_of(const Algorithm& algorithm, const Task& task) {
    const auto needed_by = [&](int rank) {
        auto other = task;
        other.rank = rank;
        other.shares = nullptr;
        return algorithm.passes_on(other);
    };
    SizeExchange result;
    for (int rank = 0; rank < task.ranks; ++rank) {
        const auto before = result.destinations.size();
        for (const auto& block : needed_by(rank))
            if (block.source == task.rank)
                result.destinations.push_back(block.destination);
        append(result.shares.send_bytes, result.shares.send_offsets,
               result.destinations.size() - before);
    }
    std::vector<std::size_t> from(static_cast<std::size_t>(task.ranks));
    for (const auto& block : needed_by(task.rank)) {
        assert(block.source != task.rank);
        ++from[static_cast<std::size_t>(block.source)];
    }
    for (const auto sizes : from)
        append(result.shares.receive_bytes, result.shares.receive_offsets, sizes);
    const auto straight = find_algorithm("alltoall.direct");
    const Parameters none;
    result.schedule = (*straight)->generate(
        {Collective::alltoallv, task.rank, task.ranks, 0, 0, &result.shares, none});
    return result;
}

} // namespace alltold

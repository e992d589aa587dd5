// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/builder.hpp"

#include <bit>
#include <cassert>

namespace alltold {

Builder::Builder(std::size_t expected_operations) {
    operations_.reserve(expected_operations);
    first_edge_.reserve(expected_operations + 1);
    edges_.reserve(expected_operations);
    first_edge_.push_back(0);
}

Step Builder::append(const Operation& operation, std::span<const Step> after) {
    const auto step = static_cast<Step>(operations_.size());
    operations_.push_back(operation);
    for (const Step earlier : after) {
        assert(earlier < step);
        if (earlier != no_step)
            edges_.push_back(earlier);
    }
    first_edge_.push_back(static_cast<Step>(edges_.size()));
    return step;
}

Step Builder::send(Region from, int to_rank, After after, bool synchronous) {
    if (from.size_bytes == 0)
        return no_step;
    return append({.kind = Kind::send, .synchronous = synchronous, .peer = to_rank, .region = from},
                  after);
}

Step Builder::receive(Region into, int from_rank, After after) {
    if (into.size_bytes == 0)
        return no_step;
    return append({.kind = Kind::receive, .peer = from_rank, .region = into}, after);
}

Step Builder::signal(int to_rank, After after) {
    return append({.kind = Kind::signal, .peer = to_rank}, after);
}

Step Builder::await(int from_rank, After after) {
    return append({.kind = Kind::await, .peer = from_rank}, after);
}

Step Builder::copy(Region from, Region into, After after) {
    return copy_rows(1, from, 0, into, 0, after);
}

Step Builder::copy_rows(std::int32_t rows, Region from, std::int64_t from_stride_bytes, Region into,
                        std::int64_t into_stride_bytes, After after) {
    assert(from.size_bytes == into.size_bytes);
    if (from.size_bytes == 0 || rows <= 0)
        return no_step;
    return append({.kind = Kind::copy,
                   .region = from,
                   .target = into,
                   .rows = rows,
                   .region_stride_bytes = from_stride_bytes,
                   .target_stride_bytes = into_stride_bytes},
                  after);
}

Step Builder::combine(Region left, Region right, After after) {
    assert(left.size_bytes == right.size_bytes);
    if (left.size_bytes == 0)
        return no_step;
    return append({.kind = Kind::combine, .region = left, .target = right}, after);
}

Step Builder::join(After after) {
    return append({.kind = Kind::join}, after);
}

void Builder::also_after(Step step, Step earlier) {
    if (step == no_step || earlier == no_step)
        return;
    assert(step + 1 == static_cast<Step>(operations_.size()) && earlier < step);
    edges_.push_back(earlier);
    first_edge_.back() = static_cast<Step>(edges_.size());
}

void Builder::also_after(Step step, std::span<const Step> earlier) {
    for (const auto one : earlier)
        also_after(step, one);
}

Region Builder::scratch(std::uint64_t size_bytes) {
    const Region region{Buffer::scratch, scratch_bytes_, size_bytes};
    scratch_bytes_ += size_bytes;
    return region;
}

/// Counts messages per peer and direction in a small hash table, so that the work is proportional
/// to this rank's operations and not to the number of ranks.
void Builder::number_messages() {
    struct Counter {
        std::int64_t key = -1;
        std::int32_t count = 0;
    };
    std::vector<Counter> table(std::bit_ceil(2 * operations_.size() + 1));
    const auto mask = table.size() - 1;
    for (auto& operation : operations_) {
        if (!operation.is_message() || operation.tag >= 0)
            continue;
        const std::int64_t key = std::int64_t{2} * operation.peer + operation.is_outgoing();
        auto slot = static_cast<std::size_t>(key) & mask;
        while (table[slot].key != -1 && table[slot].key != key)
            slot = (slot + 1) & mask;
        table[slot].key = key;
        operation.tag = table[slot].count++;
    }
}

Schedule Builder::finish() && {
    number_messages();
    return Schedule(std::move(operations_), std::move(first_edge_), std::move(edges_),
                    scratch_bytes_);
}

Region subregion(const Region& region, std::uint64_t from_bytes, std::uint64_t size_bytes) {
    assert(from_bytes + size_bytes <= region.size_bytes);
    return {region.buffer, region.offset_bytes + from_bytes, size_bytes};
}

} // namespace alltold

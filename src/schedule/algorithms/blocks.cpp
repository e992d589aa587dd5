// SPDX-License-Identifier: BSD-3-Clause
// Messages of blocks, and collectives made of them.
#include "schedule/algorithms/blocks.hpp"

namespace alltold {

Blocks::Blocks(Builder& builder, const Segments& blocks) : builder_(builder) {
    for (std::int64_t number = 0; number < blocks.count(); ++number)
        blocks_.push_back({blocks.at(number)});
}

std::vector<Blocks::BlockRange> Blocks::ranges_of(const BlockMessage& message) {
    std::vector<BlockRange> ranges;
    for (int number = message.first; number < message.first + message.count; ++number) {
        const auto& region = at(number).region;
        if (region.size_bytes == 0)
            continue;
        if (!ranges.empty() && ranges.back().region.buffer == region.buffer &&
            ranges.back().region.end_bytes() == region.offset_bytes) {
            ranges.back().count = number + 1 - ranges.back().first;
            ranges.back().region.size_bytes += region.size_bytes;
        } else {
            ranges.push_back({number, 1, region});
        }
    }
    return ranges;
}

void Blocks::after_blocks(Step step, const BlockRange& range) {
    Step previous = no_step;
    for (int number = range.first; number < range.first + range.count; ++number) {
        const auto ready = at(number).ready;
        if (ready != previous)
            builder_.also_after(step, ready);
        previous = ready;
    }
}

std::uint64_t Blocks::bytes_of(const BlockMessage& message) {
    std::uint64_t bytes = 0;
    for (int number = message.first; number < message.first + message.count; ++number)
        bytes += at(number).region.size_bytes;
    return bytes;
}

void Blocks::send(const BlockMessage& message) {
    const auto ranges = ranges_of(message);
    if (ranges.size() == 1) {
        after_blocks(builder_.send(ranges.front().region, message.peer), ranges.front());
        return;
    }
    auto rest = builder_.scratch(bytes_of(message));
    const auto together = rest;
    std::vector<Step> copies;
    for (const auto& range : ranges) {
        const auto size = range.region.size_bytes;
        copies.push_back(builder_.copy(range.region, subregion(rest, 0, size)));
        after_blocks(copies.back(), range);
        rest = subregion(rest, size, rest.size_bytes - size);
    }
    const auto sent = builder_.send(together, message.peer);
    for (const auto copy : copies)
        builder_.also_after(sent, copy);
}

void Blocks::combine(const BlockMessage& message, std::optional<Region> into) {
    auto rest = into ? *into : builder_.scratch(bytes_of(message));
    const auto received = builder_.receive(rest, message.peer);
    for (const auto& range : ranges_of(message)) {
        const auto combined =
            builder_.combine(range.region, subregion(rest, 0, range.region.size_bytes), {received});
        after_blocks(combined, range);
        for (int number = range.first; number < range.first + range.count; ++number) {
            const auto size = at(number).region.size_bytes;
            at(number) = {subregion(rest, 0, size), combined};
            rest = subregion(rest, size, rest.size_bytes - size);
        }
    }
}

void Blocks::receive(const BlockMessage& message) {
    const auto ranges = ranges_of(message);
    const auto together =
        ranges.size() == 1 ? ranges.front().region : builder_.scratch(bytes_of(message));
    const auto received = builder_.receive(together, message.peer);
    std::uint64_t from = 0;
    for (const auto& range : ranges) {
        const auto size = range.region.size_bytes;
        const auto here = ranges.size() == 1 ? received
                                             : builder_.copy(subregion(together, from, size),
                                                             range.region, {received});
        from += size;
        for (int number = range.first; number < range.first + range.count; ++number)
            at(number).ready = here;
    }
}

Step reduce_scatter(Builder& builder, std::span<const BlockRound> rounds, int rank,
                    const Segments& own, Region result) {
    if (rounds.empty())
        return builder.copy(own.at(rank), result);
    Blocks blocks(builder, own);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        for (const auto& message : rounds[i].gives)
            blocks.send(message);
        const auto& takes = rounds[i].takes;
        for (std::size_t k = 0; k < takes.size(); ++k) {
            const bool last = i + 1 == rounds.size() && k + 1 == takes.size();
            blocks.combine(takes[k], last ? std::optional(result) : std::nullopt);
        }
    }
    return blocks.ready(rank);
}

void allgather_back(Builder& builder, std::span<const BlockRound> rounds, int rank,
                    const Segments& all, Step ready) {
    Blocks blocks(builder, all);
    blocks.put(rank, all.at(rank), ready);
    for (auto round = rounds.rbegin(); round != rounds.rend(); ++round) {
        for (const auto& message : round->takes)
            blocks.send(message);
        for (const auto& message : round->gives)
            blocks.receive(message);
    }
}

Schedule reduce_scatter_by(std::span<const BlockRound> rounds, int rank, int ranks,
                           std::uint64_t block_bytes, std::uint64_t unit_bytes) {
    const auto size_bytes = static_cast<std::uint64_t>(ranks) * block_bytes;
    Builder builder(4 * rounds.size() + 1);
    reduce_scatter(builder, rounds, rank,
                   Segments::parts({Buffer::send, 0, size_bytes}, ranks, unit_bytes),
                   {Buffer::receive, 0, block_bytes});
    return std::move(builder).finish();
}

Schedule allreduce_by(std::span<const BlockRound> rounds, int rank, int ranks,
                      std::uint64_t size_bytes, std::uint64_t unit_bytes) {
    const auto blocks_of = [&](Buffer buffer) {
        return Segments::parts({buffer, 0, size_bytes}, ranks, unit_bytes);
    };
    Builder builder(8 * rounds.size() + 1);
    const auto all = blocks_of(Buffer::receive);
    const auto ready = reduce_scatter(builder, rounds, rank, blocks_of(Buffer::send), all.at(rank));
    allgather_back(builder, rounds, rank, all, ready);
    return std::move(builder).finish();
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithms/blocks.hpp"

namespace alltold {
namespace {

/// An interval of ranks, halved; the lower half has the odd one.
struct Halved {
    int first, middle, end;

    Halved(int from, int to) : first(from), middle(from + (to - from + 1) / 2), end(to) {}
    bool is_low(int rank) const { return rank < middle; }
    int size(bool low) const { return low ? middle - first : end - middle; }
    int first_of(bool low) const { return low ? first : middle; }
    /// The rank of the other half that `rank` gives to.
    int peer_of(int rank) const {
        const bool low = is_low(rank);
        return first_of(!low) + std::min(rank - first_of(low), size(!low) - 1);
    }
    /// Blocks of one half.
    BlockMessage message(int peer, bool low) const { return {peer, first_of(low), size(low)}; }
};

} // namespace

std::vector<BlockRound> halving_rounds(int rank, int ranks) {
    std::vector<BlockRound> rounds;
    for (int first = 0, end = ranks; end - first > 1;) {
        const Halved interval(first, end);
        const bool low = interval.is_low(rank);
        BlockRound round{{interval.message(interval.peer_of(rank), !low)}, {}};
        for (int other = interval.first_of(!low), i = 0; i < interval.size(!low); ++i)
            if (interval.peer_of(other + i) == rank)
                round.takes.push_back(interval.message(other + i, low));
        rounds.push_back(std::move(round));
        (low ? end : first) = interval.middle;
    }
    return rounds;
}

BlockGather halving_gather(int rank, int ranks, int root) {
    BlockGather gather{{}, {}, 0, ranks};
    int collector = root; // of the interval; sooner or later every rank is one
    for (int first = 0, end = ranks; end - first > 1;) {
        const Halved interval(first, end);
        const bool low = interval.is_low(rank);
        const int other = interval.peer_of(collector); // collects the other half
        if (rank == collector)
            gather.receives.push_back(interval.message(other, !low));
        if (low != interval.is_low(collector)) {
            if (rank == other) {
                gather.sends = interval.message(collector, low);
                gather.first = gather.sends.first;
                gather.count = gather.sends.count;
            }
            collector = other;
        }
        (low ? end : first) = interval.middle;
    }
    std::reverse(gather.receives.begin(), gather.receives.end());
    return gather;
}

std::vector<BlockRound> circulant_block_rounds(int rank, int ranks) {
    std::vector<BlockRound> rounds;
    for (int left = ranks, skip = 0; left > 1; left = skip) {
        skip = (left + 1) / 2;
        const int to = (rank + skip) % ranks, from = (rank - skip + ranks) % ranks;
        rounds.push_back({{{to, to, left - skip}}, {{from, rank, left - skip}}});
    }
    return rounds;
}

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
    builder_.also_after(sent, copies);
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

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Halved intervals, and skips of a circulant graph.
#include "schedule/algorithms/block_rounds.hpp"

#include <algorithm>

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

} // namespace alltold

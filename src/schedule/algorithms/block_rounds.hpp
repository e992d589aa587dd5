// SPDX-License-Identifier: BSD-3-Clause
// Which rank sends which blocks of a vector to which other in a reduce-scatter, round by round.
#pragma once

#include <vector>

namespace alltold {

/// Blocks first, first + 1, ... of as many as there are ranks, `count` of them, modulo the ranks.
struct BlockMessage {
    int peer = 0;
    int first = 0;
    int count = 0;
};

/// What a rank gives away, to be combined with what others have, and what it takes over. In the end
/// rank r alone has block r. The same messages backwards, from last to first and in the other
/// direction, gather the blocks again.
struct BlockRound {
    std::vector<BlockMessage> gives, takes;
};

/// Recursive halving: the interval of all ranks, and of their blocks, is halved again and again,
/// and ranks of the two halves exchange the blocks of the other's half. ceil(log2(ranks)) rounds
/// for any number of ranks: if a half has one rank more, that rank only sends, to the last rank of
/// the other half, which then receives twice. The ranks that have been combined are not adjacent.
std::vector<BlockRound> halving_rounds(int rank, int ranks);

/// A circulant graph: ceil(log2(ranks)) rounds for any number of ranks, in which every rank gives
/// and takes the same number of blocks, ranks - 1 in all. Jesper Larsson Traeff 2024, "Optimal,
/// Non-pipelined Reduce-scatter and Allreduce Algorithms".
std::vector<BlockRound> circulant_block_rounds(int rank, int ranks);

/// The halving rounds backwards, as far as `root` needs them to have all blocks.
struct BlockGather {
    std::vector<BlockMessage> receives; ///< from first to last
    BlockMessage sends;                 ///< after all of these; count 0 at the root
    int first = 0, count = 0;           ///< the blocks that this rank has in the end
};
BlockGather halving_gather(int rank, int ranks, int root);

} // namespace alltold

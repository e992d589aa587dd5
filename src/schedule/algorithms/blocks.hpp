// SPDX-License-Identifier: BSD-3-Clause
// The blocks of one rank's vector, as they are combined and exchanged.
#pragma once

#include "schedule/segments.hpp"

namespace alltold {

/// Blocks first, first + 1, ... of as many as there are ranks, `count` of them, modulo the ranks.
struct BlockMessage {
    int peer = 0;
    int first = 0;
    int count = 0;
};

/// The blocks a rank gives away, to be combined with what others have, and what it takes over. In
/// the end rank r alone has block r. The same messages backwards, from last to first and in the
/// other direction, gather the blocks again.
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

/// Where each block is and after which step. A message takes all of its blocks at once; blocks that
/// are not contiguous are copied.
class Blocks {
  public:
    Blocks(Builder& builder, const Segments& blocks);

    /// Sends the blocks, once they are ready.
    void send(const BlockMessage& message);
    /// Receives blocks of another rank and combines them with those here; the result is in `into`,
    /// or in new scratch memory. Operands are in no particular order.
    void combine(const BlockMessage& message, std::optional<Region> into = {});
    /// Receives blocks to where they are.
    void receive(const BlockMessage& message);
    /// Block `number` is at `region` after `step` from now on.
    void put(int number, Region region, Step step) { at(number) = {region, step}; }
    Step ready(int number) { return at(number).ready; }

  private:
    struct PlacedBlock {
        Region region;
        Step ready = no_step;
    };
    /// Contiguous blocks.
    struct BlockRange {
        int first, count; ///< modulo the blocks
        Region region;
    };
    PlacedBlock& at(int number) {
        return blocks_[static_cast<std::size_t>(number) % blocks_.size()];
    }
    std::vector<BlockRange> ranges_of(const BlockMessage& message);
    /// Makes `step`, the newest, wait until the blocks are there.
    void after_blocks(Step step, const BlockRange& range);
    std::uint64_t bytes_of(const BlockMessage& message);

    Builder& builder_;
    std::vector<PlacedBlock> blocks_;
};

/// Carries out the rounds with a rank's own contribution, which is only read. The rank's own block,
/// combined, is in `result` after the returned step.
Step reduce_scatter(Builder& builder, std::span<const BlockRound> rounds, int rank,
                    const Segments& own, Region result);

/// Carries out the same rounds backwards: `all` has block `rank` after `ready`, and then all
/// blocks.
void allgather_back(Builder& builder, std::span<const BlockRound> rounds, int rank,
                    const Segments& all, Step ready);

} // namespace alltold

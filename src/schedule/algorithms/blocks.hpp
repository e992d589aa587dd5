// SPDX-License-Identifier: BSD-3-Clause
// The blocks of one rank's vector, as they are combined and exchanged.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schedule/algorithms/block_rounds.hpp"
#include "schedule/builder.hpp"
#include "schedule/segments.hpp"

namespace alltold {

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

/// A reduce-scatter of blocks of `block_bytes` from the send buffer by these rounds.
Schedule reduce_scatter_by(std::span<const BlockRound> rounds, int rank, int ranks,
                           std::uint64_t block_bytes, std::uint64_t unit_bytes);

/// A reduce-scatter and an allgather by the same rounds, of `size_bytes` from the send buffer.
Schedule allreduce_by(std::span<const BlockRound> rounds, int rank, int ranks,
                      std::uint64_t size_bytes, std::uint64_t unit_bytes);

} // namespace alltold

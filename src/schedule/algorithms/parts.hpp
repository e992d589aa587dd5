// SPDX-License-Identifier: BSD-3-Clause
// The parts of one rank's vector, as they are combined and exchanged.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schedule/algorithms/part_rounds.hpp"
#include "schedule/builder.hpp"
#include "schedule/segments.hpp"

namespace alltold {

/// Where each part is and after which step. A message takes all of its parts at once; parts that
/// are not contiguous are copied.
class Parts {
  public:
    Parts(Builder& builder, const Segments& parts);

    /// Sends the parts, once they are ready.
    void send(const PartMessage& message);
    /// Receives parts of another rank and combines them with those here; the result is in `into`,
    /// or in new scratch memory. Operands are in no particular order.
    void combine(const PartMessage& message, std::optional<Region> into = {});
    /// Receives parts to where they are.
    void receive(const PartMessage& message);
    /// Part `number` is at `region` after `step` from now on.
    void put(int number, Region region, Step step) { at(number) = {region, step}; }
    Step ready(int number) { return at(number).ready; }

  private:
    struct Part {
        Region region;
        Step ready = no_step;
    };
    /// Contiguous parts.
    struct PartRange {
        int first, count; ///< modulo the parts
        Region region;
    };
    Part& at(int number) { return parts_[static_cast<std::size_t>(number) % parts_.size()]; }
    std::vector<PartRange> ranges_of(const PartMessage& message);
    /// Makes `step`, the newest, wait until the parts are there.
    void after_parts(Step step, const PartRange& range);
    std::uint64_t bytes_of(const PartMessage& message);

    Builder& builder_;
    std::vector<Part> parts_;
};

/// Carries out the rounds with a rank's own contribution, which is only read. The rank's own part,
/// combined, is in `result` after the returned step.
Step reduce_scatter(Builder& builder, std::span<const PartRound> rounds, int rank,
                    const Segments& own, Region result);

/// Carries out the same rounds backwards: `all` has part `rank` after `ready`, and then all parts.
void allgather_back(Builder& builder, std::span<const PartRound> rounds, int rank,
                    const Segments& all, Step ready);

/// A reduce-scatter of blocks of `block_bytes` from the send buffer by these rounds.
Schedule reduce_scatter_by(std::span<const PartRound> rounds, int rank, int ranks,
                           std::uint64_t block_bytes, std::uint64_t unit_bytes);

/// A reduce-scatter and an allgather by the same rounds, of `size_bytes` from the send buffer.
Schedule allreduce_by(std::span<const PartRound> rounds, int rank, int ranks,
                      std::uint64_t size_bytes, std::uint64_t unit_bytes);

} // namespace alltold

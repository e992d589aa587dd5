// SPDX-License-Identifier: BSD-3-Clause
// Builds a schedule, one operation after another.
#pragma once

#include <initializer_list>

#include "schedule/schedule.hpp"

namespace alltold {

/// The number of an operation in the schedule being built, or `no_step` where there is none.
using Step = std::int32_t;
constexpr Step no_step = -1;

/// Appends operations and numbers the messages of each pair of ranks.
///
/// Empty messages and copies are omitted on both sides: their Step is `no_step`, and an edge to
/// `no_step` is no edge. Algorithms therefore need no special case for empty blocks.
class Builder {
  public:
    /// Reserves memory for about `operations` operations.
    explicit Builder(std::size_t expected_operations = 16);

    using After = std::initializer_list<Step>;
    Step send(Region from, int to_rank, After after = {}, bool synchronous = false);
    Step receive(Region into, int from_rank, After after = {});
    Step signal(int to_rank, After after = {});
    Step await(int from_rank, After after = {});
    Step copy(Region from, Region into, After after = {});
    /// Copies `rows` regions at the given strides.
    Step copy_rows(std::int32_t rows, Region from, std::int64_t from_stride_bytes, Region into,
                   std::int64_t into_stride_bytes, After after = {});
    /// Combines `left` with `right`, which becomes the result (Kind::combine).
    Step combine(Region left, Region right, After after = {});
    Step join(After after = {});
    /// Makes `step`, the newest operation or no_step, also wait for `earlier`.
    void also_after(Step step, Step earlier);
    void also_after(Step step, std::span<const Step> earlier);

    /// Adds an operation unchanged; a tag of 0 or more is kept.
    Step append(const Operation& operation, std::span<const Step> after);

    /// `size_bytes` of new scratch memory.
    Region scratch(std::uint64_t size_bytes);

    Schedule finish() &&;

  private:
    void number_messages();

    std::vector<Operation> operations_;
    std::vector<Step> first_edge_;
    std::vector<Step> edges_;
    std::uint64_t scratch_bytes_ = 0;
};

/// `size_bytes` bytes of `region`, starting `from_bytes` after its start.
Region subregion(const Region& region, std::uint64_t from_bytes, std::uint64_t size_bytes);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The contributions that a reduction's values combine, and their order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace alltold {

/// Values of one element: value r is the contribution of rank r; further ones are combinations of
/// two. Equal numbers mean equal operands combined in the same order, so equal bits.
class Contributions {
  public:
    Contributions(int ranks, bool commutative);

    /// The value of `left` combined with `right`. Fails if both have a contribution of the same
    /// rank, or if they are not adjacent in the order of ranks where the operator does not commute.
    Result<std::uint64_t> combined(std::uint64_t left, std::uint64_t right);
    /// Whether `value` has the contributions of ranks 0 to `count` - 1 and no others.
    bool is_of_first(std::uint64_t value, int count) const;
    /// "rank 3", "ranks 0 to 3", "ranks 0, 2, 4 to 7".
    std::string text(std::uint64_t value) const;

  private:
    using Ranks = std::vector<bool>;
    int lowest(std::uint64_t value) const;
    int highest(std::uint64_t value) const;

    bool commutative_;
    std::vector<Ranks> values_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> combinations_;
};

} // namespace alltold

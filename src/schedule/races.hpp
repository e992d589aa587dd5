// SPDX-License-Identifier: BSD-3-Clause
// The order of one rank's operations, and data races on its buffers.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "schedule/schedule.hpp"

namespace alltold {

/// Which operations of one rank are complete before which others start, over any number of edges.
class LocalOrder {
  public:
    explicit LocalOrder(const Schedule& schedule);
    bool is_before(int earlier, int later) const {
        return ancestors_[row(later) + static_cast<std::size_t>(earlier) / 64] >> (earlier % 64) &
               1;
    }

  private:
    std::size_t row(int step) const { return static_cast<std::size_t>(step) * words_; }
    std::size_t words_;
    std::vector<std::uint64_t> ancestors_; ///< one bit per pair
};

/// Two unordered operations of which one writes bytes the other touches, the later one second; the
/// same one twice for a copy onto itself. Schedules without such a pair give the same result in
/// every order.
std::optional<std::pair<int, int>> find_race(const Schedule& schedule, const LocalOrder& order);

} // namespace alltold

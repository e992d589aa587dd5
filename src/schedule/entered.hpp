// SPDX-License-Identifier: BSD-3-Clause
// Which ranks are known to have entered a barrier when each operation is complete.
#pragma once

#include <vector>

namespace alltold {

/// For each operation, numbered consecutively, the ranks that have surely entered when it is done:
/// its own, and those known by all that it waited for.
class Entered {
  public:
    Entered(int ranks, std::size_t operations)
        : ranks_(static_cast<std::size_t>(ranks)), known_(operations) {}

    void enter(std::size_t operation, int rank) {
        auto& known = of(operation);
        known[static_cast<std::size_t>(rank)] = true;
    }
    /// `operation` waited for `earlier`, or received what that sent.
    void learn(std::size_t operation, std::size_t earlier) {
        auto& known = of(operation);
        const auto& other = of(earlier);
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            known[rank] = known[rank] || other[rank];
    }
    bool knows(std::size_t operation, int rank) {
        return of(operation)[static_cast<std::size_t>(rank)];
    }

  private:
    std::vector<bool>& of(std::size_t operation) {
        auto& known = known_[operation];
        known.resize(ranks_);
        return known;
    }

    std::size_t ranks_;
    std::vector<std::vector<bool>> known_;
};

} // namespace alltold

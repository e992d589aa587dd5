// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a vector go around a ring: first as they are combined, then as they are spread.
#pragma once

#include <vector>

#include "schedule/builder.hpp"
#include "schedule/segments.hpp"

namespace alltold {

/// One rank among `ranks`, each of which sends to the next only.
class BlockRing {
  public:
    BlockRing(Builder& builder, int rank, int ranks)
        : builder_(builder), rank_(rank), ranks_(ranks),
          sent_(static_cast<std::size_t>(ranks), no_step) {}

    /// Block q starts at rank q + 1, gets every rank's contribution on its way, and ends at rank q:
    /// here in `result`, complete after the returned step. `passing` is memory for the other
    /// blocks.
    Step reduce_scatter(const Segments& own, const Segments& passing, Region result) {
        if (ranks_ == 1)
            return builder_.copy(own.at(0), result);
        Step combined = no_step;
        for (int k = 1; k < ranks_; ++k) {
            const int leaves = behind(k), arrives = behind(k + 1);
            if (k == 1)
                builder_.send(own.at(leaves), next());
            else
                sent_[static_cast<std::size_t>(leaves)] =
                    builder_.send(passing.at(leaves), next(), {combined});
            const auto into = arrives == rank_ ? result : passing.at(arrives);
            const auto received = builder_.receive(into, behind(1));
            combined = builder_.combine(own.at(arrives), into, {received});
        }
        return combined;
    }

    /// Every rank has its own block after `here`, and then all. What reduce_scatter() sent from the
    /// same memory is overwritten only then.
    void allgather(const Segments& all, Step here) {
        for (int k = 0; k + 1 < ranks_; ++k) {
            const int arrives = behind(k + 1);
            builder_.send(all.at(behind(k)), next(), {here});
            here = builder_.receive(all.at(arrives), behind(1),
                                    {sent_[static_cast<std::size_t>(arrives)]});
        }
    }

  private:
    int next() const { return (rank_ + 1) % ranks_; }
    /// The rank `distance` before this one; at most `ranks`.
    int behind(int distance) const { return (rank_ + ranks_ - distance) % ranks_; }

    Builder& builder_;
    int rank_, ranks_;
    std::vector<Step> sent_; ///< per block
};

} // namespace alltold

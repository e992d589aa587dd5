// SPDX-License-Identifier: BSD-3-Clause
// Matches sends with receives over the schedules of all ranks.
#pragma once

#include "schedule/check.hpp"

namespace alltold {

/// An operation of a rank.
struct Place {
    std::int32_t rank = -1;
    std::int32_t step = -1;
    bool operator==(const Place&) const = default;
};

/// The operations of all ranks, numbered consecutively, with the partner of each message.
class Matching {
  public:
    explicit Matching(std::span<const Schedule> schedules);

    /// Pairs messages by (sender, receiver, tag); the fault names the first without a match.
    std::optional<Fault> pair_up();

    int size() const { return first_.back(); }
    int index(int rank, int step) const { return first_[static_cast<std::size_t>(rank)] + step; }
    /// The other end of a message; unset before pair_up and for copies and joins.
    Place partner(int rank, int step) const {
        return partners_[static_cast<std::size_t>(index(rank, step))];
    }

  private:
    std::span<const Schedule> schedules_;
    std::vector<int> first_; ///< first_[r] numbers operation 0 of rank r; one more holds the total
    std::vector<Place> partners_;
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Any number of ranks folded to a power of two, for exchanges whose distances double.
#pragma once

#include <algorithm>
#include <bit>

namespace alltold {

/// Ranks on places, of which there are the largest power of two. Where there are more ranks, the
/// first places have two neighbouring ones: the lower one gives the upper one what it has before;
/// the upper one exchanges with other places and gives it the result after (Thakur, Rabenseifner
/// and Gropp 2005, for reductions). Places follow the order of ranks.
class Folded {
  public:
    explicit Folded(int ranks)
        : places_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
          with_two_(ranks - places_) {}

    int places() const { return places_; }
    /// The first rank of `place`; the number of ranks for places().
    int first(int place) const { return place + std::min(place, with_two_); }
    bool has_two(int place) const { return place < with_two_; }
    /// The rank that exchanges for `place`.
    int active(int place) const { return first(place) + has_two(place); }
    int place_of(int rank) const { return rank < 2 * with_two_ ? rank / 2 : rank - with_two_; }

  private:
    int places_;
    int with_two_;
};

} // namespace alltold

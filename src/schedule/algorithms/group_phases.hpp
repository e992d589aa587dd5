// SPDX-License-Identifier: BSD-3-Clause
// Phases of collectives across groups: pieces combined or spread, within groups and between them.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/groups.hpp"
#include "schedule/builder.hpp"

namespace alltold {

/// The ranks of a group that carry pieces between groups: `count` (at least 1) from `first` on.
struct Carriers {
    int first = 0;
    int count = 1;
};

/// A part of a collective's vector, as one rank sees it.
struct Piece {
    std::uint64_t offset_bytes = 0; ///< in the vector
    std::uint64_t size_bytes = 0;
    int home = 0;              ///< the group where it is combined, or from which it spreads
    std::vector<int> carriers; ///< of each group the rank that sends it to another, or gets it
    Region place = {};         ///< where it is to end here; empty: nowhere
    Region value = {};         ///< where it is so far, this rank's contribution at first
    Step ready = no_step;      ///< after which `value` may be read
    Step reader = no_step;     ///< the send of `value`, if any

    /// The bytes of this piece in a buffer that holds the whole vector.
    Region in(Buffer buffer) const { return {buffer, offset_bytes, size_bytes}; }
};

/// Cuts a vector so that the carriers of every group carry equal shares of each of `homes` parts of
/// it; part k has its home in group k. Shares of two groups overlap where their sizes differ: each
/// overlap is a piece. No element of `unit_bytes` is cut, and there are no empty pieces.
std::vector<Piece> shared_pieces(const std::vector<Carriers>& carriers, int homes,
                                 std::uint64_t vector_bytes, std::uint64_t unit_bytes);

/// A vector of one block for each rank. A block's home is the group of its rank; in other groups
/// ranks take turns.
std::vector<Piece> block_pieces(const Groups& groups, std::uint64_t block_bytes);

/// Appends one rank's part in each phase. Pieces move around rings: of the ranks of a group, and of
/// the carriers of a piece. So a piece crosses each port of a host once in each phase, wherever
/// ranks of a host are consecutive, and no rank ever receives from two at once in one ring.
/// Every rank must append the same phases.
class GroupPhases {
  public:
    /// The position of a piece's carrier in the ring within a group.
    enum class Carrier : std::uint8_t {
        last, ///< pieces of a group are combined towards their carriers
        first ///< pieces that come from other groups at their carriers move on from there
    };

    GroupPhases(const Task& task, const Groups& groups, std::vector<Piece> pieces);

    /// Combines the contributions of the group's ranks.
    void combine_within(Carrier carrier);
    /// Combines what the groups have, at each piece's home.
    void combine_between();
    /// For two groups, in place of combine_between: each sends its values to the other, and both
    /// combine them alike.
    void combine_in_both();
    /// Sends pieces from their homes to the carriers of all other groups.
    void spread_between();
    /// Sends pieces from the group's carriers to all its ranks.
    void spread_within();

    Builder& builder() { return builder_; }

  private:
    Region scratch(const Piece& piece) { return builder_.scratch(piece.size_bytes); }
    /// Its place, or scratch memory where it does not end here.
    Region place_of(const Piece& piece) {
        return piece.place.size_bytes > 0 ? piece.place : scratch(piece);
    }
    /// Calls `visit` for the pieces whose carrier within this group has the given number there.
    template <typename Visit>
    void for_carrier(int number, Visit visit);
    /// Calls `visit` for the pieces of that home that this rank carries.
    template <typename Visit>
    void for_home(int home, Visit visit);

    int rank_within(int distance) const { return first_ + (me_ + distance + size_) % size_; }
    int other_carrier(const Piece& piece, int distance) const;

    void pass_on(Piece& piece, int to);
    /// Receives the value of `from` and combines it with this rank's, with the result in `into`.
    void absorb(Piece& piece, int from, const Region& into);
    void take(Piece& piece, int from);

    int rank_;
    int groups_, group_;
    int first_, size_, me_; ///< this group's lowest rank, its ranks, and this rank's number there
    std::vector<Piece> pieces_;
    std::vector<std::vector<std::size_t>> by_carrier_; ///< by number in this group
    std::vector<std::vector<std::size_t>> by_home_;    ///< carried by this rank
    Builder builder_;
};

} // namespace alltold

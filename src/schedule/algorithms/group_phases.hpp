// SPDX-License-Identifier: BSD-3-Clause
// Phases of collectives across groups: shares combined or spread, within groups and between them.
#pragma once

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/groups.hpp"
#include "schedule/builder.hpp"

namespace alltold {

/// The ranks of a group that carry shares between groups: `count` (at least 1) from `first` on.
struct Carriers {
    int first = 0;
    int count = 1;
};

/// A part of a collective's vector, as one rank sees it.
struct Share {
    std::uint64_t offset_bytes = 0; ///< in the vector
    std::uint64_t size_bytes = 0;
    int home = 0;              ///< the group where it is combined, or from which it spreads
    std::vector<int> carriers; ///< of each group the rank that sends it to another, or gets it
    Region place = {};         ///< where it is to end here; empty: nowhere
    Region value = {};         ///< where it is so far, this rank's contribution at first
    Step ready = no_step;      ///< after which `value` may be read
    Step reader = no_step;     ///< the send of `value`, if any

    /// The bytes of this share in a buffer that holds the whole vector.
    Region in(Buffer buffer) const { return {buffer, offset_bytes, size_bytes}; }
};

/// Cuts a vector so that the carriers of every group carry equally much of each of `homes` parts of
/// it; part k has its home in group k. What carriers of two groups carry overlaps where the groups'
/// sizes differ: each overlap is a share. No element of `unit_bytes` is cut, and no share is empty.
std::vector<Share> shares_of_vector(const std::vector<Carriers>& carriers, int homes,
                                    std::uint64_t vector_bytes, std::uint64_t unit_bytes);

/// A vector of one block for each rank. A block's home is the group of its rank; in other groups
/// ranks take turns.
std::vector<Share> shares_of_blocks(const Groups& groups, std::uint64_t block_bytes);

/// Appends one rank's part in each phase. Shares move around rings: of the ranks of a group, and of
/// the carriers of a share. So a share crosses each port of a host once in each phase, wherever
/// ranks of a host are consecutive, and no rank ever receives from two at once in one ring.
/// Every rank must append the same phases.
class GroupPhases {
  public:
    /// The position of a share's carrier in the ring within a group.
    enum class Carrier : std::uint8_t {
        last, ///< shares of a group are combined towards their carriers
        first ///< shares that come from other groups at their carriers move on from there
    };

    GroupPhases(const Task& task, const Groups& groups, std::vector<Share> shares);

    /// Combines the contributions of the group's ranks.
    void combine_within(Carrier carrier);
    /// Combines what the groups have, at each share's home.
    void combine_between();
    /// For two groups, in place of combine_between: each sends its values to the other, and both
    /// combine them alike.
    void combine_in_both();
    /// Sends shares from their homes to the carriers of all other groups.
    void spread_between();
    /// Sends shares from the group's carriers to all its ranks.
    void spread_within();

    Builder& builder() { return builder_; }

  private:
    Region scratch(const Share& share) { return builder_.scratch(share.size_bytes); }
    /// Its place, or scratch memory where it does not end here.
    Region place_of(const Share& share) {
        return share.place.size_bytes > 0 ? share.place : scratch(share);
    }
    /// Calls `visit` for the shares whose carrier within this group has the given number there.
    template <typename Visit>
    void for_carrier(int number, Visit visit);
    /// Calls `visit` for the shares of that home that this rank carries.
    template <typename Visit>
    void for_home(int home, Visit visit);

    int rank_within(int distance) const { return first_ + (me_ + distance + size_) % size_; }
    int other_carrier(const Share& share, int distance) const;

    void pass_on(Share& share, int to);
    /// Receives the value of `from` and combines it with this rank's, with the result in `into`.
    void absorb(Share& share, int from, const Region& into);
    void take(Share& share, int from);

    int rank_;
    int groups_, group_;
    int first_, size_, me_; ///< this group's lowest rank, its ranks, and this rank's number there
    std::vector<Share> shares_;
    std::vector<std::vector<std::size_t>> by_carrier_; ///< by number in this group
    std::vector<std::vector<std::size_t>> by_home_;    ///< carried by this rank
    Builder builder_;
};

} // namespace alltold

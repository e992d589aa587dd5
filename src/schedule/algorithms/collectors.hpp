// SPDX-License-Identifier: BSD-3-Clause
// Which rank collects which blocks between two clusters, in LG.
#pragma once

#include <algorithm>
#include <vector>

namespace alltold {

/// Members from..to of a cluster.
struct Range {
    int from = 0;
    int to = 0;
    bool holds(int i) const { return from <= i && i < to; }
    int size() const { return to - from; }
};

/// The blocks one member of a cluster collects for a member of another cluster, and receives from
/// it.
struct Duty {
    int peer;     ///< the member of the other cluster
    Range ours;   ///< the members whose blocks for the peer are collected
    Range theirs; ///< the members whose blocks the peer has collected
};

/// Two clusters, seen from one of them: Jeannot and Steffenel 2007, algorithm 1, where n1 is the
/// size of the smaller cluster. Deviations: loops start at 0, ranges are half-open, and blocks
/// whose collector would not exist are reassigned. Members of the larger cluster form groups of n1.
/// Member k of a group collects its group's blocks for member k of the smaller cluster; if the last
/// group has no member k, member k of the previous group collects for it as well. The smaller
/// cluster's blocks for member l of the larger one are collected by member l mod n1, as published.
class Collectors {
  public:
    Collectors(int our_size, int their_size, bool we_are_small)
        : small_(we_are_small ? our_size : their_size),
          large_(we_are_small ? their_size : our_size), we_are_small_(we_are_small) {}

    /// The duties of `member` of this side: max(1, its share of the larger cluster) messages each
    /// way.
    std::vector<Duty> duties(int member) const {
        if (!we_are_small_)
            return {{member % small_, collected_by(member), {0, small_}}};
        std::vector<Duty> all;
        for (int l = member; l < large_; l += small_)
            all.push_back({l, {0, small_}, collected_by(l)});
        return all;
    }

  private:
    /// The members whose blocks member l of the larger cluster collects, always including itself.
    Range collected_by(int l) const {
        const int from = l / small_ * small_;
        const int next = from + small_;
        const bool also_next = next < large_ && l + small_ >= large_;
        return {from, also_next ? large_ : std::min(next, large_)};
    }

    int small_, large_;
    bool we_are_small_;
};

} // namespace alltold

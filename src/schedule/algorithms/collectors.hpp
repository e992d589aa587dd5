// SPDX-License-Identifier: BSD-3-Clause
// Who collects whose blocks for whom between two clusters, as LG has it.
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

/// What one member of a cluster collects for one of another cluster, and gets from there.
struct Duty {
    int peer;     ///< the member of the other cluster
    Range ours;   ///< whose blocks for it are collected
    Range theirs; ///< whose blocks the peer has collected in turn
};

/// Two clusters, seen from one of them. Jeannot and Steffenel 2007, algorithm 1, with n1 the
/// smaller cluster, and its errata: loops from 0, half-open ranges, and the blocks whose collector
/// would be a rank that does not exist. Members of the larger cluster form groups of n1. The member
/// k of a group collects its group's blocks for member k of the smaller cluster; when the last
/// group has no member k, the member k of the group before collects for it as well. The collector
/// of the smaller cluster's blocks for member l of the larger one is l mod n1, as published.
class Collectors {
  public:
    Collectors(int our_size, int their_size, bool we_are_small)
        : small_(we_are_small ? our_size : their_size),
          large_(we_are_small ? their_size : our_size), we_are_small_(we_are_small) {}

    /// What `member` of this side does, max(1, its share of the larger cluster) messages each way.
    std::vector<Duty> duties(int member) const {
        if (!we_are_small_)
            return {{member % small_, collected_by(member), {0, small_}}};
        std::vector<Duty> all;
        for (int l = member; l < large_; l += small_)
            all.push_back({l, {0, small_}, collected_by(l)});
        return all;
    }

  private:
    /// Whose blocks member l of the larger cluster collects; its own is always among them.
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

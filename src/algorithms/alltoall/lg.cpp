// SPDX-License-Identifier: BSD-3-Clause
// Local Group: remote blocks are collected locally and cross in max(n1, n2) messages each way
// between any two clusters.
#include <algorithm>
#include <vector>

#include "algorithms/exchange.hpp"

namespace alltold {
namespace {

// Jeannot and Steffenel 2007, algorithm 1, with n1 the smaller cluster, and its errata: loops from
// 0, half-open ranges, and the blocks whose collector would be a rank that does not exist. Ranks of
// the larger cluster form groups of n1. The member k of a group collects its group's blocks for
// rank k of the smaller cluster; when the last group has no member k, the member k of the group
// before collects for it as well. The collector of the smaller cluster's blocks for rank l of the
// larger one is l mod n1, as published. With more clusters every two of them do this, all in one
// local phase.

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

/// Who collects what between two clusters, seen from one of them.
class Pair {
  public:
    Pair(int our_size, int their_size, bool we_are_small)
        : small_(we_are_small ? our_size : their_size),
          large_(we_are_small ? their_size : our_size), we_are_small_(we_are_small) {}

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

class LocalGroup {
  public:
    explicit LocalGroup(const Task& task)
        : task_(task), exchange_(task), clusters_(*task.parameters.clusters),
          mine_(clusters_.cluster_of(task.rank)), me_(task.rank - clusters_.first(mine_)),
          builder_(4 * static_cast<std::size_t>(task.ranks)) {}

    Schedule run() && {
        for (int distance = 1; distance < clusters_.count(); ++distance)
            prepare((mine_ + distance) % clusters_.count());
        local_phase();
        for (auto& other : others_)
            inter_cluster_phase(other);
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    struct Collected {
        Duty duty;
        Region blocks;
        std::vector<Step> parts; ///< complete once all blocks are there
    };
    /// Another cluster, and what this rank collects for its members.
    struct Other {
        int first;
        Pair pair;
        std::vector<Collected> collected;
    };

    void prepare(int cluster) {
        const int ours = clusters_.size(mine_), theirs = clusters_.size(cluster);
        const bool we_are_small = ours < theirs || (ours == theirs && mine_ < cluster);
        Other other{clusters_.first(cluster), Pair(ours, theirs, we_are_small), {}};
        for (const auto& duty : other.pair.duties(me_)) {
            const auto blocks = builder_.scratch(exchange_.bytes(duty.ours.size()));
            const auto own = builder_.copy(exchange_.outgoing(other.first + duty.peer),
                                           slot(blocks, me_ - duty.ours.from));
            other.collected.push_back({duty, blocks, {own}});
        }
        others_.push_back(std::move(other));
    }

    /// Exchange inside the cluster, in rotated order, with what others collect for this rank.
    void local_phase() {
        const int first = clusters_.first(mine_), size = clusters_.size(mine_);
        for (int distance = 1; distance < size; ++distance) {
            const int to = (me_ + distance) % size;
            const int from = (me_ - distance + size) % size;
            builder_.receive(exchange_.incoming(first + from), first + from);
            builder_.send(exchange_.outgoing(first + to), first + to);
            for (auto& other : others_) {
                for (auto& one : other.collected)
                    if (one.duty.ours.holds(from))
                        one.parts.push_back(builder_.receive(
                            slot(one.blocks, from - one.duty.ours.from), first + from));
                for (const auto& duty : other.pair.duties(to))
                    if (duty.ours.holds(me_))
                        builder_.send(exchange_.outgoing(other.first + duty.peer), first + to);
            }
        }
    }

    /// One step for each member of the other cluster that this rank collects for.
    void inter_cluster_phase(const Other& other) {
        Step sent = no_step, received = no_step;
        for (const auto& [duty, blocks, parts] : other.collected) {
            const int peer = other.first + duty.peer;
            const auto receiving = builder_.receive(
                exchange_.incoming(other.first + duty.theirs.from, duty.theirs.size()), peer,
                {sent, received});
            const auto sending = builder_.send(blocks, peer, {sent, received});
            for (const auto part : parts)
                builder_.also_after(sending, part);
            sent = sending;
            received = receiving;
        }
    }

    Region slot(const Region& blocks, int i) const {
        return part_of(blocks, exchange_.bytes(i), task_.size_bytes);
    }

    const Task& task_;
    Exchange exchange_;
    const Clusters& clusters_;
    int mine_, me_;
    Builder builder_;
    std::vector<Other> others_;
};

Schedule generate(const Task& task) {
    return task.size_bytes == 0 ? Schedule() : LocalGroup(task).run();
}

} // namespace

extern const Algorithm alltoall_lg{
    .name = "alltoall.lg",
    .collective = Collective::alltoall,
    .wins = "clusters whose backbone suffers from many flows or starts, with links to spare",
    .generate = generate,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// LG between all or some pairs of clusters (Jeannot and Steffenel 2007), for equal blocks or any
// matrix.
#include <tuple>

#include "schedule/algorithms/exchange.hpp"

namespace alltold::alltoall_local_group {
namespace {

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

// With more than two clusters every pair of clusters does what the paper's two do, in one common
// local phase. With unequal blocks a collector learns the sizes of the blocks it collects in a size
// exchange before the call; it knows the sizes of arriving blocks itself.

bool in_order(const Block& a, const Block& b) {
    return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
}

/// Another cluster, and which ranks collect blocks for it.
struct Other {
    int first; ///< its lowest rank
    int size;
    bool collected; ///< blocks for it are collected
    Collectors collectors;

    /// The blocks `member` of this cluster collects for it.
    std::vector<Duty> duties(int member) const {
        return collected ? collectors.duties(member) : std::vector<Duty>{};
    }
};

/// One rank's cluster, its number there, and all other clusters, starting with the next one.
class OwnCluster {
  public:
    explicit OwnCluster(const Task& task) : clusters_(*task.parameters.clusters) {
        const int mine = clusters_.cluster_of(task.rank);
        first = clusters_.first(mine);
        size = clusters_.size(mine);
        me = task.rank - first;
        for (int distance = 1; distance < clusters_.count(); ++distance) {
            const int other = (mine + distance) % clusters_.count();
            const int theirs = clusters_.size(other);
            const bool we_are_small = size < theirs || (size == theirs && mine < other);
            const int window = task.parameters.window;
            others.push_back({clusters_.first(other), theirs,
                              window == 0 || std::min(size, theirs) <= window,
                              Collectors(size, theirs, we_are_small)});
        }
    }

    int first = 0; ///< lowest rank of the cluster
    int size = 1;  ///< ranks in the cluster
    int me = 0;    ///< this rank's number in the cluster
    std::vector<Other> others;

  private:
    const Clusters& clusters_;
};

/// Algorithm::passes_on of local_group: the blocks of other ranks that the rank collects.
std::vector<Block> collected_blocks(const Task& task) {
    const OwnCluster here(task);
    std::vector<Block> blocks;
    for (const auto& other : here.others)
        for (const auto& duty : other.duties(here.me))
            for (int i = duty.ours.from; i < duty.ours.to; ++i)
                if (i != here.me)
                    blocks.push_back({here.first + i, other.first + duty.peer});
    std::sort(blocks.begin(), blocks.end(), in_order);
    return blocks;
}

class LocalGroup {
  public:
    explicit LocalGroup(const Task& task)
        : task_(task), exchange_(task), here_(task),
          relayed_(task.shares ? collected_blocks(task) : std::vector<Block>{}),
          builder_(4 * static_cast<std::size_t>(task.ranks)) {
        assert(!task.shares || relayed_.size() == task.shares->relayed_bytes.size());
    }

    Schedule run() && {
        for (const auto& other : here_.others)
            collected_.push_back(prepare(other));
        local_phase();
        for (const auto& other : here_.others)
            if (!other.collected)
                exchange_straight(other);
        for (std::size_t i = 0; i < collected_.size(); ++i)
            inter_cluster_phase(here_.others[i], collected_[i]);
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    /// The blocks this rank collects for one rank of another cluster.
    struct Collected {
        Duty duty;
        Region blocks;
        std::vector<std::uint64_t> offsets; ///< of each member's block, and their end
        std::vector<Step> steps;            ///< complete once all blocks are there

        Region slot(int member) const {
            const auto at = static_cast<std::size_t>(member - duty.ours.from);
            return subregion(blocks, offsets[at], offsets[at + 1] - offsets[at]);
        }
    };

    std::uint64_t size_bytes(const Block& block) const {
        if (!task_.shares)
            return task_.size_bytes;
        if (block.source == task_.rank)
            return task_.shares->send_bytes[static_cast<std::size_t>(block.destination)];
        const auto at = std::lower_bound(relayed_.begin(), relayed_.end(), block, in_order);
        return task_.shares->relayed_bytes[static_cast<std::size_t>(at - relayed_.begin())];
    }

    std::vector<Collected> prepare(const Other& other) {
        std::vector<Collected> all;
        for (const auto& duty : other.duties(here_.me)) {
            Collected one{duty, {}, {0}, {}};
            for (int i = duty.ours.from; i < duty.ours.to; ++i)
                one.offsets.push_back(one.offsets.back() +
                                      size_bytes({here_.first + i, other.first + duty.peer}));
            one.blocks = builder_.scratch(one.offsets.back());
            one.steps.push_back(
                builder_.copy(exchange_.outgoing(other.first + duty.peer), one.slot(here_.me)));
            all.push_back(std::move(one));
        }
        return all;
    }

    /// Exchanges blocks within the cluster, in rotated order, including blocks to be collected.
    void local_phase() {
        for (int distance = 1; distance < here_.size; ++distance) {
            const int to = (here_.me + distance) % here_.size;
            const int from = (here_.me - distance + here_.size) % here_.size;
            builder_.receive(exchange_.incoming(here_.first + from), here_.first + from);
            builder_.send(exchange_.outgoing(here_.first + to), here_.first + to);
            for (std::size_t i = 0; i < collected_.size(); ++i) {
                for (auto& one : collected_[i])
                    if (one.duty.ours.holds(from))
                        one.steps.push_back(builder_.receive(one.slot(from), here_.first + from));
                const auto& other = here_.others[i];
                for (const auto& duty : other.duties(to))
                    if (duty.ours.holds(here_.me))
                        builder_.send(exchange_.outgoing(other.first + duty.peer),
                                      here_.first + to);
            }
        }
    }

    /// After the blocks to be collected, which have further to go.
    void exchange_straight(const Other& other) {
        for (int distance = 0; distance < other.size; ++distance) {
            const int peer = other.first + (here_.me + distance) % other.size;
            builder_.receive(exchange_.incoming(peer), peer);
            builder_.send(exchange_.outgoing(peer), peer);
        }
    }

    /// One message for each member of the other cluster that this rank collects for.
    void inter_cluster_phase(const Other& other, const std::vector<Collected>& collected) {
        Step sent = no_step, received = no_step;
        for (const auto& [duty, blocks, offsets, steps] : collected) {
            const int peer = other.first + duty.peer;
            const auto receiving = receive_blocks(other.first + duty.theirs.from,
                                                  duty.theirs.size(), peer, {sent, received});
            const auto sending = builder_.send(blocks, peer, {sent, received});
            builder_.also_after(sending, steps);
            sent = sending == no_step ? sent : sending;
            received = receiving == no_step ? received : receiving;
        }
    }

    /// One message with the blocks of `count` ranks from `first` on: directly into place where they
    /// are contiguous, else through scratch memory.
    Step receive_blocks(int first, int count, int peer, Builder::After after) {
        Region whole{Buffer::receive, 0, 0};
        bool in_place = true;
        for (int i = 0; i < count; ++i) {
            const auto block = exchange_.incoming(first + i);
            if (whole.size_bytes == 0)
                whole.offset_bytes = block.offset_bytes;
            in_place &= block.size_bytes == 0 || block.offset_bytes == whole.end_bytes();
            whole.size_bytes += block.size_bytes;
        }
        if (in_place)
            return builder_.receive(whole, peer, after);
        const auto together = builder_.scratch(whole.size_bytes);
        const auto received = builder_.receive(together, peer, after);
        std::uint64_t from = 0;
        for (int i = 0; i < count; ++i) {
            const auto block = exchange_.incoming(first + i);
            builder_.copy(subregion(together, from, block.size_bytes), block, {received});
            from += block.size_bytes;
        }
        return received;
    }

    const Task& task_;
    Exchange exchange_;
    OwnCluster here_;
    std::vector<Block> relayed_; ///< the blocks of Shares::relayed_bytes
    Builder builder_;
    std::vector<std::vector<Collected>> collected_; ///< one entry for each of here_.others
};

/// One rank's schedule after Jeannot and Steffenel 2007: blocks for another cluster are collected
/// within their cluster and cross in max(n1, n2) messages each way. With a window, only pairs of
/// clusters whose smaller one has at most `window` ranks do so (that is about how many blocks share
/// a message); between other pairs of clusters, ranks exchange their blocks directly.
Schedule local_group(const Task& task) {
    return !task.shares && task.size_bytes == 0 ? Schedule() : LocalGroup(task).run();
}

constexpr Algorithm table[]{
    // Local Group between any two clusters (Jeannot and Steffenel 2007).
    {
        .name = "alltoall.lg",
        .wins = "clusters whose backbone suffers from many flows or messages, with local bandwidth "
                "to spare",
        .generate = local_group,
        .clusters = Algorithm::Use::must,
        .vectors = true,
        .passes_on = collected_blocks,
    },
    // Local Group with small clusters, direct exchange between large ones.
    {
        .name = "alltoall.lg_small",
        .wins = "clusters of different sizes: as lg if the smaller has at most --window ranks, "
                "else direct",
        .generate = local_group,
        .window = Algorithm::Use::may,
        .clusters = Algorithm::Use::must,
        .vectors = true,
        .passes_on = collected_blocks,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::alltoall_local_group

// SPDX-License-Identifier: BSD-3-Clause
// Inter-cluster blocks are collected within their cluster and cross together, or are sent directly.
#include "schedule/algorithms/local_group.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <vector>

#include "schedule/algorithms/collectors.hpp"
#include "schedule/algorithms/exchange.hpp"

namespace alltold {
namespace {

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

} // namespace

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

namespace {

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
            for (const auto part : steps)
                builder_.also_after(sending, part);
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

} // namespace

Schedule local_group(const Task& task) {
    return !task.shares && task.size_bytes == 0 ? Schedule() : LocalGroup(task).run();
}

} // namespace alltold

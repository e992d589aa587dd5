// SPDX-License-Identifier: BSD-3-Clause
// Remote blocks are collected locally and cross together, or go straight.
#include "schedule/algorithms/local_group.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <vector>

#include "schedule/algorithms/collectors.hpp"
#include "schedule/algorithms/exchange.hpp"

namespace alltold {
namespace {

// With more than two clusters every two of them do what the paper's two do, all in one local phase.
// With unequal blocks a collector is told beforehand how much its neighbours have for the ranks it
// collects for; how much arrives from another cluster a rank knows by itself.

bool in_order(const Block& a, const Block& b) {
    return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
}

/// Another cluster, and who collects what towards it.
struct Other {
    int first; ///< its lowest rank
    int size;
    bool together; ///< blocks for it are collected
    Collectors collectors;

    /// What `member` of the own cluster does for it.
    std::vector<Duty> duties(int member) const {
        return together ? collectors.duties(member) : std::vector<Duty>{};
    }
};

/// One rank's place, and all clusters but its own, the next first.
class Provenance {
  public:
    explicit Provenance(const Task& task) : clusters_(*task.parameters.clusters) {
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

    int first = 0; ///< the lowest rank of this one's cluster
    int size = 1;  ///< of this cluster
    int me = 0;    ///< this rank, counted from there
    std::vector<Other> others;

  private:
    const Clusters& clusters_;
};

} // namespace

std::vector<Block> collected_blocks(const Task& task) {
    const Provenance here(task);
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
          told_(task.shares ? collected_blocks(task) : std::vector<Block>{}),
          builder_(4 * static_cast<std::size_t>(task.ranks)) {
        assert(!task.shares || told_.size() == task.shares->relayed_bytes.size());
    }

    Schedule run() && {
        for (const auto& other : here_.others)
            collected_.push_back(prepare(other));
        local_phase();
        for (const auto& other : here_.others)
            if (!other.together)
                exchange_straight(other);
        for (std::size_t i = 0; i < collected_.size(); ++i)
            inter_cluster_phase(here_.others[i], collected_[i]);
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    /// What this rank collects for one of another cluster.
    struct Collected {
        Duty duty;
        Region blocks;
        std::vector<std::uint64_t> offsets; ///< of each member's block, and their end
        std::vector<Step> parts;            ///< complete once all blocks are there

        Region slot(int member) const {
            const auto at = static_cast<std::size_t>(member - duty.ours.from);
            return part_of(blocks, offsets[at], offsets[at + 1] - offsets[at]);
        }
    };

    std::uint64_t size_bytes(const Block& block) const {
        if (!task_.shares)
            return task_.size_bytes;
        if (block.source == task_.rank)
            return task_.shares->send_bytes[static_cast<std::size_t>(block.destination)];
        const auto at = std::lower_bound(told_.begin(), told_.end(), block, in_order);
        return task_.shares->relayed_bytes[static_cast<std::size_t>(at - told_.begin())];
    }

    std::vector<Collected> prepare(const Other& other) {
        std::vector<Collected> all;
        for (const auto& duty : other.duties(here_.me)) {
            Collected one{duty, {}, {0}, {}};
            for (int i = duty.ours.from; i < duty.ours.to; ++i)
                one.offsets.push_back(one.offsets.back() +
                                      size_bytes({here_.first + i, other.first + duty.peer}));
            one.blocks = builder_.scratch(one.offsets.back());
            one.parts.push_back(
                builder_.copy(exchange_.outgoing(other.first + duty.peer), one.slot(here_.me)));
            all.push_back(std::move(one));
        }
        return all;
    }

    /// Exchange inside the cluster, in rotated order, with what others collect for this rank.
    void local_phase() {
        for (int distance = 1; distance < here_.size; ++distance) {
            const int to = (here_.me + distance) % here_.size;
            const int from = (here_.me - distance + here_.size) % here_.size;
            builder_.receive(exchange_.incoming(here_.first + from), here_.first + from);
            builder_.send(exchange_.outgoing(here_.first + to), here_.first + to);
            for (std::size_t i = 0; i < collected_.size(); ++i) {
                for (auto& one : collected_[i])
                    if (one.duty.ours.holds(from))
                        one.parts.push_back(builder_.receive(one.slot(from), here_.first + from));
                const auto& other = here_.others[i];
                for (const auto& duty : other.duties(to))
                    if (duty.ours.holds(here_.me))
                        builder_.send(exchange_.outgoing(other.first + duty.peer),
                                      here_.first + to);
            }
        }
    }

    /// Behind what others must pass on: that has further to go.
    void exchange_straight(const Other& other) {
        for (int distance = 0; distance < other.size; ++distance) {
            const int peer = other.first + (here_.me + distance) % other.size;
            builder_.receive(exchange_.incoming(peer), peer);
            builder_.send(exchange_.outgoing(peer), peer);
        }
    }

    /// One step for each member of the other cluster that this rank collects for.
    void inter_cluster_phase(const Other& other, const std::vector<Collected>& collected) {
        Step sent = no_step, received = no_step;
        for (const auto& [duty, blocks, offsets, parts] : collected) {
            const int peer = other.first + duty.peer;
            const auto receiving = receive_blocks(other.first + duty.theirs.from,
                                                  duty.theirs.size(), peer, {sent, received});
            const auto sending = builder_.send(blocks, peer, {sent, received});
            for (const auto part : parts)
                builder_.also_after(sending, part);
            sent = sending == no_step ? sent : sending;
            received = receiving == no_step ? received : receiving;
        }
    }

    /// One message with the blocks of `count` ranks from `first` on: into place where they lie one
    /// behind the other, else by way of scratch memory.
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
            builder_.copy(part_of(together, from, block.size_bytes), block, {received});
            from += block.size_bytes;
        }
        return received;
    }

    const Task& task_;
    Exchange exchange_;
    Provenance here_;
    std::vector<Block> told_; ///< the blocks of Shares::relayed_bytes
    Builder builder_;
    std::vector<std::vector<Collected>> collected_; ///< one entry for each of here_.others
};

} // namespace

Schedule local_group(const Task& task) {
    return !task.shares && task.size_bytes == 0 ? Schedule() : LocalGroup(task).run();
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Local Group: remote blocks are collected locally and cross in max(n1, n2) messages each way.
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
// larger one is l mod n1, as published.
class LocalGroup {
  public:
    explicit LocalGroup(const Task& task)
        : task_(task), exchange_(task), builder_(4 * static_cast<std::size_t>(task.ranks)) {
        const auto& clusters = *task.parameters.clusters;
        const bool first_is_smaller = clusters.size(0) <= clusters.size(1);
        const int smaller = first_is_smaller ? 0 : 1;
        small_ = {clusters.first(smaller), clusters.size(smaller)};
        large_ = {clusters.first(1 - smaller), clusters.size(1 - smaller)};
    }

    Schedule run() && {
        const bool in_small = task_.rank >= small_.first && task_.rank < small_.first + small_.size;
        if (in_small)
            run_in_small(task_.rank - small_.first);
        else
            run_in_large(task_.rank - large_.first);
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    struct Cluster {
        int first = 0;
        int size = 0;
    };
    struct Range {
        int from = 0;
        int to = 0;
        bool holds(int i) const { return from <= i && i < to; }
        int size() const { return to - from; }
    };

    /// The member of the larger cluster that collects rank l's block for rank k of the smaller.
    int collector(int l, int k) const {
        const int same_group = l / small_.size * small_.size + k;
        return same_group < large_.size ? same_group : same_group - small_.size;
    }

    /// Whose blocks member l of the larger cluster collects; its own is always among them.
    Range collected_by(int l) const {
        const int from = l / small_.size * small_.size;
        const int next = from + small_.size;
        const bool also_next = next < large_.size && l + small_.size >= large_.size;
        return {from, also_next ? large_.size : std::min(next, large_.size)};
    }

    /// Exchange inside one's own cluster, in rotated order; `forward(peer)` adds what else goes to
    /// that peer in the local phase, and comes from it.
    template <typename Forward>
    void local_phase(const Cluster& mine, int me, Forward forward) {
        for (int distance = 1; distance < mine.size; ++distance) {
            const int to = (me + distance) % mine.size;
            const int from = (me - distance + mine.size) % mine.size;
            builder_.receive(exchange_.incoming(mine.first + from), mine.first + from);
            builder_.send(exchange_.outgoing(mine.first + to), mine.first + to);
            forward(to, from);
        }
    }

    void run_in_small(int me) {
        // What this rank collects for its remote ranks l = me, me + n1, ...: n1 blocks for each.
        struct Collected {
            int l;
            Region blocks;
            std::vector<Step> parts;
        };
        std::vector<Collected> collected;
        for (int l = me; l < large_.size; l += small_.size) {
            collected.push_back({l, builder_.scratch(exchange_.bytes(small_.size)), {}});
            auto& one = collected.back();
            one.parts.push_back(
                builder_.copy(exchange_.outgoing(large_.first + l), slot(one.blocks, me)));
        }
        local_phase(small_, me, [&](int to, int from) {
            for (auto& one : collected)
                one.parts.push_back(builder_.receive(slot(one.blocks, from), small_.first + from));
            for (int l = to; l < large_.size; l += small_.size)
                builder_.send(exchange_.outgoing(large_.first + l), small_.first + to);
        });
        Step sent = no_step, received = no_step;
        for (const auto& one : collected) { // one step of the inter-cluster phase each
            const int peer = large_.first + one.l;
            const auto theirs = collected_by(one.l);
            const auto receiving =
                builder_.receive(exchange_.incoming(large_.first + theirs.from, theirs.size()),
                                 peer, {sent, received});
            const auto sending = builder_.send(one.blocks, peer, {sent, received});
            for (const auto part : one.parts)
                builder_.also_after(sending, part);
            sent = sending;
            received = receiving;
        }
    }

    void run_in_large(int me) {
        const int k = me % small_.size; // whom this rank collects for
        const int peer = small_.first + k;
        const auto mine = collected_by(me);
        const auto blocks = builder_.scratch(exchange_.bytes(mine.size()));
        std::vector<Step> parts{
            builder_.copy(exchange_.outgoing(peer), slot(blocks, me - mine.from))};
        builder_.receive(exchange_.incoming(small_.first, small_.size), peer);
        local_phase(large_, me, [&](int to, int from) {
            if (mine.holds(from))
                parts.push_back(
                    builder_.receive(slot(blocks, from - mine.from), large_.first + from));
            const int for_whom = to % small_.size;
            if (collector(me, for_whom) == to)
                builder_.send(exchange_.outgoing(small_.first + for_whom), large_.first + to);
        });
        const auto sent = builder_.send(blocks, peer);
        for (const auto part : parts)
            builder_.also_after(sent, part);
    }

    Region slot(const Region& blocks, int i) const {
        return part_of(blocks, exchange_.bytes(i), task_.size_bytes);
    }

    const Task& task_;
    Exchange exchange_;
    Builder builder_;
    Cluster small_, large_;
};

Schedule generate(const Task& task) {
    return task.size_bytes == 0 ? Schedule() : LocalGroup(task).run();
}

} // namespace

extern const Algorithm alltoall_lg{
    .name = "alltoall.lg",
    .collective = Collective::alltoall,
    .wins = "two clusters whose backbone suffers from many flows or starts, with links to spare",
    .generate = generate,
    .clusters = Algorithm::Use::must,
    .cluster_count = 2,
};

} // namespace alltold

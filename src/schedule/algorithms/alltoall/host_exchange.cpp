// SPDX-License-Identifier: BSD-3-Clause
// One message for each ordered pair of hosts, by one or several ranks of each.
#include <cmath>

#include "schedule/algorithms/exchange.hpp"
#include "schedule/algorithms/groups.hpp"
#include "schedule/algorithms/stream.hpp"

namespace alltold::alltoall_host_exchange {
namespace {

/// The message of two hosts holds blocks sorted by target, then by source, so that what a target
/// gets is one region, in the order of its receive buffer. The sources' carrier sorts them, while
/// it waits for others.
class HostExchange {
  public:
    HostExchange(const Task& task, int carriers)
        : task_(task), exchange_(task), clusters_(*task.parameters.clusters),
          hosts_(clusters_, Level::host), carriers_(carriers), here_(hosts_.of(task.rank)),
          first_(hosts_.first(here_)), ranks_(hosts_.size(here_)), me_(task.rank - first_),
          builder_(6 * static_cast<std::size_t>(hosts_.count())),
          wire_(builder_, task.parameters.window, static_cast<std::uint64_t>(hosts_.count())) {}

    /// Both ends of a pair of ranks of this host number their messages alike, since all ranks go
    /// through the other hosts in the same order, first to collect, then to hand out.
    Schedule run() && {
        std::vector<Collected> collected;
        for (int turn = 1; turn < hosts_.count(); ++turn)
            collected.push_back(collect(host_at(turn)));
        for (int turn = 1; turn < hosts_.count(); ++turn) {
            send(host_at(turn), collected[static_cast<std::size_t>(turn - 1)]);
            receive(host_at(-turn));
        }
        exchange_within_host(builder_, exchange_, clusters_, task_.rank);
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    /// The blocks of this host for another, at their carrier.
    struct Collected {
        Region blocks = {};
        std::vector<Step> parts = {}; ///< complete once all blocks are there
    };

    int host_at(int turn) const { return (here_ + turn + hosts_.count()) % hosts_.count(); }

    /// The rank of `host` that sends to `other` and receives from it.
    int carrier(int host, int other) const {
        return hosts_.first(host) + other % std::min(carriers_, hosts_.size(host));
    }

    Region blocks(const Region& region, int first, int count) const {
        return subregion(region, exchange_.bytes(first), exchange_.bytes(count));
    }

    Collected collect(int there) {
        const int many = hosts_.size(there);
        const auto own = exchange_.outgoing(hosts_.first(there), many);
        if (const int to = carrier(here_, there); to != task_.rank) {
            builder_.send(own, to);
            return {};
        }
        if (ranks_ == 1)
            return {own};
        Collected all{builder_.scratch(exchange_.bytes(ranks_ * many))};
        for (int distance = 0; distance < ranks_; ++distance) {
            const int source = (me_ + distance) % ranks_;
            all.parts.push_back(source == me_ ? sort_in(own, all.blocks, source, many, no_step)
                                              : receive_part(all.blocks, source, many));
        }
        return all;
    }

    Step receive_part(const Region& all, int source, int many) {
        if (many == 1)
            return builder_.receive(blocks(all, source, 1), first_ + source);
        const auto part = builder_.scratch(exchange_.bytes(many));
        const auto received = builder_.receive(part, first_ + source);
        return sort_in(part, all, source, many, received);
    }

    /// Copies the blocks of one source, `many` in order of target, to where they are in `all`.
    Step sort_in(const Region& part, const Region& all, int source, int many, Step after) {
        return builder_.copy_rows(
            many, blocks(part, 0, 1), static_cast<std::int64_t>(task_.size_bytes),
            blocks(all, source, 1), static_cast<std::int64_t>(exchange_.bytes(ranks_)), {after});
    }

    void send(int there, const Collected& collected) {
        if (carrier(here_, there) != task_.rank)
            return;
        const auto sent = wire_.send(collected.blocks, carrier(there, here_));
        builder_.also_after(sent, collected.parts);
    }

    void receive(int there) {
        const int many = hosts_.size(there);
        const auto own = exchange_.incoming(hosts_.first(there), many);
        if (const int from = carrier(here_, there); from != task_.rank) {
            builder_.receive(own, from);
            return;
        }
        const int from = carrier(there, here_);
        if (ranks_ == 1) {
            wire_.receive(own, from);
            return;
        }
        const auto all = builder_.scratch(exchange_.bytes(ranks_ * many));
        const auto received = wire_.receive(all, from);
        for (int distance = 1; distance < ranks_; ++distance) {
            const int target = (me_ + distance) % ranks_;
            builder_.send(blocks(all, target * many, many), first_ + target, {received});
        }
        builder_.copy(blocks(all, me_ * many, many), own, {received});
    }

    const Task& task_;
    Exchange exchange_;
    const Clusters& clusters_;
    Groups hosts_;
    int carriers_;
    int here_;               ///< this rank's host
    int first_, ranks_, me_; ///< its lowest rank, its ranks, and this rank's number among them
    Builder builder_;
    Stream wire_;
};

/// A carrier on each host collects the blocks of its ranks for another host and sends them in one
/// message; a carrier there hands them out. Up to `carriers` (at least 1) ranks of a host, its
/// lowest, share the other hosts: with k of them, number B mod k carries what goes to host B and
/// what comes from it. Hosts exchange in rotated order; a carrier has at most parameters.window
/// messages with other hosts in flight in each direction (0: no limit). Blocks within a host go
/// directly.
template <int (*carriers)(const Clusters&)>
Schedule exchange_by_hosts(const Task& task) {
    return task.size_bytes == 0 ? Schedule()
                                : HostExchange(task, carriers(*task.parameters.clusters)).run();
}

int one_leader(const Clusters& /*clusters*/) {
    return 1;
}

/// The square root of the ranks on the fullest host, rounded up, so that both a host's messages and
/// their bytes are divided among several.
int several_leaders(const Clusters& clusters) {
    return static_cast<int>(std::ceil(std::sqrt(clusters.most_ranks_of_a_host())));
}

int all_ranks_of_a_host(const Clusters& clusters) {
    return clusters.most_ranks_of_a_host();
}

constexpr Algorithm table[]{
    // One leader per host exchanges all blocks of its host, in one message per pair of hosts.
    {
        .name = "alltoall.host_leader",
        .wins = "short messages among several ranks per host: the fewest messages on the network",
        .generate = exchange_by_hosts<one_leader>,
        .window = Algorithm::Use::may,
        .hosts = Algorithm::Use::must,
        .carriers = one_leader,
    },
    // Several leaders per host share the messages to and from other hosts.
    {
        .name = "alltoall.host_leaders",
        .wins = "short messages among many ranks per host: as host_leader, with the work spread "
                "over the root of their number",
        .generate = exchange_by_hosts<several_leaders>,
        .window = Algorithm::Use::may,
        .hosts = Algorithm::Use::must,
        .carriers = several_leaders,
    },
    // One message per pair of hosts, shared out among the ranks of each host.
    {
        .name = "alltoall.host_shared",
        .wins = "short and medium messages among several ranks per host: as host_leader, with the "
                "work spread over the ranks",
        .generate = exchange_by_hosts<all_ranks_of_a_host>,
        .window = Algorithm::Use::may,
        .hosts = Algorithm::Use::must,
        .carriers = all_ranks_of_a_host,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::alltoall_host_exchange

// SPDX-License-Identifier: BSD-3-Clause
// Paced exchange: segments go directly to their targets, in rounds with one sending host per port.
#include <cmath>

#include "core/limits.hpp"
#include "schedule/algorithms/exchange.hpp"
#include "schedule/algorithms/groups.hpp"
#include "schedule/algorithms/stream.hpp"
#include "schedule/segments.hpp"

namespace alltold::alltoall_paced {
namespace {

/// The inter-cluster messages that a rank in a cluster of `size` ranks may have in flight, if the
/// mean over all ranks is `mean`. All clusters get the same total, whatever their sizes. At least
/// 1; 0 (no limit) stays 0.
int own_inter_cluster_window(const Clusters& clusters, int size, int mean) {
    if (mean == 0)
        return 0;
    const double of_cluster = static_cast<double>(mean) * clusters.ranks() / clusters.count();
    return whole_between(std::round(of_cluster / size), 1, most_window);
}

/// One segment of one block, and its position in the common order of all segments of all ranks.
struct SegmentTransfer {
    std::uint64_t number; ///< which segment of its block
    int turn;             ///< from its sender's host to its receiver's, modulo the hosts
    int distance;         ///< at which the ranks of the two hosts pair up
    int sender, receiver;

    auto operator<=>(const SegmentTransfer&) const = default;
};

class CreditExchange {
  public:
    explicit CreditExchange(const Task& task)
        : task_(task), exchange_(task), segments_(task.parameters.segment_bytes),
          clusters_(task.parameters.clusters.value_or(Clusters({task.ranks}))),
          local_(fan_in_is_limited() ? task.parameters.window : 0, 2),
          inter_cluster_(fan_in_is_limited()
                             ? own_inter_cluster_window(
                                   clusters_, clusters_.size(clusters_.cluster_of(task.rank)),
                                   task.parameters.inter_cluster_window)
                             : 0,
                         std::max(2, task.parameters.inter_cluster_window / 2)),
          held_back_(held_back()) {}

    /// All ranks use the same order of segments, and a segment waits only for earlier ones. The
    /// first unfinished segment can therefore always be sent and received, so there is no deadlock.
    /// The order also makes both ends of a pair number their messages alike.
    Schedule run() && {
        for (const auto& transfer : transfers())
            if (transfer.sender == task_.rank)
                send(transfer);
            else
                receive(transfer);
        exchange_within_host(builder_, exchange_, clusters_, task_.rank);
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    /// Messages to and from the ranks of this cluster, or those of other clusters.
    struct Side {
        Side(int window, int at_once)
            : received(window), ahead(static_cast<std::uint64_t>(at_once)) {}
        Recent received;
        std::uint64_t ahead; ///< initial credits per block, in segments; the same at both ends
    };

    /// Number and bytes of the blocks that this rank receives from other hosts or sends to them.
    struct Load {
        int local = 0, inter_cluster = 0;
        std::uint64_t bytes = 0, inter_cluster_bytes = 0;
    };
    template <typename BlockOf>
    Load load(BlockOf block_of) const {
        Load load;
        for (int peer = 0; peer < task_.ranks; ++peer)
            if (const auto size = block_of(peer).size_bytes; leaves_host(peer) && size > 0) {
                ++(crosses(peer) ? load.inter_cluster : load.local);
                load.bytes += size;
                load.inter_cluster_bytes += crosses(peer) ? size : 0;
            }
        return load;
    }

    /// Whether `window` full segments hold `bytes`.
    bool within(int window, std::uint64_t bytes) const {
        return bytes <= static_cast<std::uint64_t>(window) * task_.parameters.segment_bytes;
    }

    /// Whether windows apply: more than a window of bytes arrives, in more blocks than TCP can
    /// recover by itself, since each connection needs some packets in every queue. With one cluster
    /// the window stands for the port's whole buffer, with several mostly for a quarter of it.
    bool fan_in_is_limited() const {
        const auto in = load([&](int peer) { return exchange_.incoming(peer); });
        const auto& [segment, window, inter_cluster_window, clusters] = task_.parameters;
        if (within(window, in.bytes) && within(inter_cluster_window, in.inter_cluster_bytes))
            return false;
        return clusters_.count() == 1 ? 4 * in.local > window
                                      : in.local + in.inter_cluster > 2 * window ||
                                            in.inter_cluster > inter_cluster_window;
    }

    /// Whether segments to other clusters wait for segments from other clusters.
    bool held_back() const {
        const auto out = load([&](int peer) { return exchange_.outgoing(peer); });
        return !within(task_.parameters.inter_cluster_window, out.inter_cluster_bytes);
    }

    /// The step that allows a segment to be sent.
    enum class Credit : std::uint8_t { initial, by_segment, by_signal };
    Credit credit_for(const SegmentTransfer& transfer, const Side& side,
                      const Region& reverse_block) const {
        if (transfer.number < side.ahead)
            return Credit::initial;
        return transfer.number - side.ahead < segments_.count(reverse_block) ? Credit::by_segment
                                                                             : Credit::by_signal;
    }

    void send(const SegmentTransfer& transfer) {
        const int to = transfer.receiver;
        auto& here = side(to);
        const auto kind = credit_for(transfer, here, exchange_.incoming(to));
        Step credit = no_step;
        if (kind == Credit::by_segment)
            credit = arrived_[static_cast<std::size_t>(to)][transfer.number - here.ahead];
        else if (kind == Credit::by_signal)
            credit = builder_.await(to);
        // Credits are per pair of ranks, but all pairs share the backbone.
        const Step oldest = crosses(to) && held_back_ ? here.received.oldest() : no_step;
        builder_.send(segments_.of(exchange_.outgoing(to), transfer.number), to, {credit, oldest});
    }

    void receive(const SegmentTransfer& transfer) {
        auto& here = side(transfer.sender);
        const bool by_signal =
            credit_for(transfer, here, exchange_.outgoing(transfer.sender)) == Credit::by_signal;
        const Step oldest = here.received.oldest();
        if (by_signal)
            builder_.signal(transfer.sender, {oldest});
        const Step received =
            builder_.receive(segments_.of(exchange_.incoming(transfer.sender), transfer.number),
                             transfer.sender, {oldest});
        here.received.push(received);
        arrived_[static_cast<std::size_t>(transfer.sender)].push_back(received);
    }

    /// The segments this rank sends to other hosts and receives from them, in order.
    std::vector<SegmentTransfer> transfers() const {
        std::vector<SegmentTransfer> all;
        const auto add = [&](const Region& block, int sender, int receiver) {
            const int turn = hosts_.of(receiver) - hosts_.of(sender);
            for (std::uint64_t number = 0; number < segments_.count(block); ++number)
                all.push_back({number, (turn + hosts_.count()) % hosts_.count(),
                               hosts_.distance(sender, receiver), sender, receiver});
        };
        for (int peer = 0; peer < task_.ranks; ++peer)
            if (leaves_host(peer)) {
                add(exchange_.outgoing(peer), task_.rank, peer);
                add(exchange_.incoming(peer), peer, task_.rank);
            }
        std::sort(all.begin(), all.end());
        return all;
    }

    bool leaves_host(int peer) const { return hosts_.of(peer) != hosts_.of(task_.rank); }
    bool crosses(int peer) const {
        return clusters_.cluster_of(peer) != clusters_.cluster_of(task_.rank);
    }
    Side& side(int peer) { return crosses(peer) ? inter_cluster_ : local_; }

    const Task& task_;
    Exchange exchange_;
    Segmentation segments_;
    Clusters clusters_;
    Groups hosts_{clusters_, Level::host};
    Builder builder_;
    Side local_, inter_cluster_;
    bool held_back_;
    std::vector<std::vector<Step>> arrived_{static_cast<std::size_t>(task_.ranks)}; ///< by sender
};

/// One rank's schedule of an all-to-all-v with any matrix, under credit flow control.
///
/// - The first two segments of every block (between clusters: half of inter_cluster_window) need no
///   credit. Each further segment waits until the block in the opposite direction delivers the
///   segment that many places before it.
/// - Where the opposite block is too short, the receiver sends a signal instead. It sends as many
///   as keep at most parameters.window segments from its own cluster and inter_cluster_window from
///   other clusters on their way to its port.
/// - A segment to another cluster also waits for the segment received from other clusters
///   inter_cluster_window places before it, from any sender.
///
/// Hosts take turns in rotated order; blocks within a host go at once, whole and without credits.
/// inter_cluster_window is a mean: see own_inter_cluster_window. A window of 0 is no limit. Windows
/// also do not apply at a rank that receives few blocks, whose losses TCP recovers, or no more
/// bytes than the windows hold. A rank needs only its own row and column of the matrix, and no
/// order of arrival leads to a deadlock.
Schedule credit_exchange(const Task& task) {
    return CreditExchange(task).run();
}

class Paced {
  public:
    explicit Paced(const Task& task)
        : task_(task), exchange_(task), segments_(task.parameters.segment_bytes),
          clusters_(task.parameters.clusters.value_or(Clusters({task.ranks}))),
          builder_(2 * most_messages()), local_(builder_, task.parameters.window, most_messages()),
          mine_(clusters_.cluster_of(task.rank)),
          inter_cluster_(builder_,
                         own_inter_cluster_window(clusters_, clusters_.size(mine_),
                                                  task.parameters.inter_cluster_window),
                         most_messages()) {}

    Schedule run() && {
        for (std::uint64_t round = 0; round < rounds(); ++round) {
            remote_round(round);
            local_round(round);
        }
        exchange_within_host(builder_, exchange_, clusters_, task_.rank);
        exchange_.copy_own(builder_);
        return std::move(builder_).finish();
    }

  private:
    std::uint64_t rounds() const {
        std::uint64_t most = 0;
        for (int peer = 0; peer < task_.ranks; ++peer)
            if (peer != task_.rank)
                most = std::max({most, segments_.count(exchange_.outgoing(peer)),
                                 segments_.count(exchange_.incoming(peer))});
        return most;
    }

    /// In one direction.
    std::uint64_t most_messages() const {
        return rounds() * static_cast<std::uint64_t>(task_.ranks);
    }

    /// One segment for every rank of the other hosts of this cluster. Hosts take turns in rotated
    /// order, so that a host sends to one other host at a time.
    void local_round(std::uint64_t round) {
        const int first = clusters_.first_host(mine_), count = clusters_.hosts(mine_);
        const int place = hosts_.of(task_.rank) - first;
        for (int turn = 1; turn < count; ++turn)
            for (int distance = 0; distance < most_ranks_of_a_host_; ++distance)
                exchange(
                    local_, round,
                    hosts_.partner(task_.rank, first + (place + turn) % count, distance),
                    hosts_.partner(task_.rank, first + (place - turn + count) % count, -distance));
    }

    /// One segment for every rank of the other clusters.
    void remote_round(std::uint64_t round) {
        const int count = clusters_.count();
        const int longest = *std::max_element(clusters_.sizes().begin(), clusters_.sizes().end());
        for (int distance = 0; distance < longest; ++distance)
            for (int step = 1; step < count; ++step) {
                const int target = (mine_ + step) % count;
                const int source = (mine_ - step + count) % count;
                exchange(inter_cluster_, round, groups_.partner(task_.rank, target, distance),
                         groups_.partner(task_.rank, source, -distance));
            }
    }

    void exchange(Stream& stream, std::uint64_t round, int to, int from) {
        // The send comes first: it waits for receives of earlier rounds, not of this one.
        if (to >= 0)
            stream.send(segments_.of(exchange_.outgoing(to), round), to);
        if (from >= 0)
            stream.receive(segments_.of(exchange_.incoming(from), round), from);
    }

    const Task& task_;
    Exchange exchange_;
    Segmentation segments_;
    Clusters clusters_;
    Groups hosts_{clusters_, Level::host}, groups_{clusters_, Level::cluster};
    int most_ranks_of_a_host_ = clusters_.most_ranks_of_a_host();
    Builder builder_;
    Stream local_;
    int mine_;
    Stream inter_cluster_;
};

Schedule generate(const Task& task) {
    return task.shares ? credit_exchange(task) : Paced(task).run();
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.paced",
    .wins = "long messages and small switch buffers: links stay full and no queue overflows",
    .generate = generate,
    .segment = Algorithm::Use::may,
    .window = Algorithm::Use::may,
    .inter_cluster_window = Algorithm::Use::may,
    .clusters = Algorithm::Use::may,
    .hosts = Algorithm::Use::may,
    .vectors = true,
};

} // namespace alltold::alltoall_paced

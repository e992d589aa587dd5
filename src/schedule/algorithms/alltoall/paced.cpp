// SPDX-License-Identifier: BSD-3-Clause
// Paced exchange: segments go directly to their targets, in rounds with one sending host per port.
#include <algorithm>

#include "schedule/algorithms/credit_exchange.hpp"
#include "schedule/algorithms/exchange.hpp"
#include "schedule/algorithms/groups.hpp"
#include "schedule/algorithms/stream.hpp"
#include "schedule/segments.hpp"

namespace alltold::alltoall_paced {
namespace {

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
    .collective = Collective::alltoall,
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

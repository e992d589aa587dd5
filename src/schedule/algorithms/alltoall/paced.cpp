// SPDX-License-Identifier: BSD-3-Clause
// Paced exchange: segments go directly to their targets, in rounds with one sender per port.
#include <algorithm>
#include <vector>

#include "schedule/algorithms/credit_exchange.hpp"
#include "schedule/algorithms/exchange.hpp"
#include "schedule/algorithms/own_window.hpp"
#include "schedule/segments.hpp"

namespace alltold::alltoall_paced {
namespace {

/// Messages of which at most `window` are in flight in each direction; 0 is no limit. Sends wait
/// for receives, so that no rank runs ahead of its senders and two senders share a port for at most
/// a window. An acknowledgement would give the same order but later, since it queues behind data.
class Stream {
  public:
    /// A window of no less than `messages`, all there are, is no limit.
    Stream(Builder& builder, int window, std::uint64_t messages)
        : builder_(builder), sent_(limiting(window, messages)),
          received_(limiting(window, messages)) {}

    void send(const Region& segment, int to) {
        sent_.push(builder_.send(segment, to, {sent_.oldest(), received_.oldest()}));
    }
    void receive(const Region& segment, int from) {
        received_.push(builder_.receive(segment, from, {received_.oldest()}));
    }

  private:
    static int limiting(int window, std::uint64_t messages) {
        return static_cast<std::uint64_t>(window) < messages ? window : 0;
    }

    /// The last `window` messages in one direction.
    class Recent {
      public:
        explicit Recent(int window) : steps_(static_cast<std::size_t>(window), no_step) {}
        /// The message `window` places back; no_step if there is none or no limit.
        Step oldest() const { return steps_.empty() ? no_step : steps_[next_]; }
        void push(Step step) {
            if (step == no_step || steps_.empty())
                return;
            steps_[next_] = step;
            next_ = next_ + 1 == steps_.size() ? 0 : next_ + 1;
        }

      private:
        std::vector<Step> steps_;
        std::size_t next_ = 0;
    };

    Builder& builder_;
    Recent sent_, received_;
};

class Paced {
  public:
    explicit Paced(const Task& task)
        : task_(task), exchange_(task), segments_(task.parameters.segment_bytes),
          clusters_(task.parameters.clusters.value_or(Clusters({task.ranks}))),
          builder_(2 * most_messages()), local_(builder_, task.parameters.window, most_messages()),
          mine_(clusters_.cluster_of(task.rank)), place_(task.rank - clusters_.first(mine_)),
          inter_cluster_(builder_,
                         own_inter_cluster_window(clusters_, clusters_.size(mine_),
                                                  task.parameters.inter_cluster_window),
                         most_messages()) {}

    Schedule run() && {
        for (std::uint64_t round = 0; round < rounds(); ++round) {
            remote_round(round);
            local_round(round);
        }
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

    /// One segment for every rank of this cluster, in rotated order.
    void local_round(std::uint64_t round) {
        const int size = clusters_.size(mine_);
        for (int distance = 1; distance < size; ++distance)
            exchange(local_, round, member(mine_, (place_ + distance) % size),
                     member(mine_, (place_ - distance + size) % size));
    }

    /// One segment for every rank of the other clusters. At each distance the ranks of two clusters
    /// pair up one to one, up to the size of the smaller one.
    void remote_round(std::uint64_t round) {
        const int count = clusters_.count();
        const int longest = *std::max_element(clusters_.sizes().begin(), clusters_.sizes().end());
        for (int distance = 0; distance < longest; ++distance)
            for (int step = 1; step < count; ++step) {
                const int target = (mine_ + step) % count;
                const int source = (mine_ - step + count) % count;
                exchange(inter_cluster_, round, partner(target, distance),
                         partner(source, -distance));
            }
    }

    /// The rank of cluster `other` paired with this one at `distance`; -1 if there is none.
    int partner(int other, int distance) const {
        const int size = std::max(clusters_.size(mine_), clusters_.size(other));
        if (std::abs(distance) >= size)
            return -1;
        const int place = (place_ + distance + size) % size;
        return place < clusters_.size(other) ? member(other, place) : -1;
    }

    void exchange(Stream& stream, std::uint64_t round, int to, int from) {
        // The send comes first: it waits for receives of earlier rounds, not of this one.
        if (to >= 0)
            stream.send(segments_.of(exchange_.outgoing(to), round), to);
        if (from >= 0)
            stream.receive(segments_.of(exchange_.incoming(from), round), from);
    }

    int member(int cluster, int place) const { return clusters_.first(cluster) + place; }

    const Task& task_;
    Exchange exchange_;
    Segmentation segments_;
    Clusters clusters_;
    Builder builder_;
    Stream local_;
    int mine_, place_;
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
    .vectors = true,
};

} // namespace alltold::alltoall_paced

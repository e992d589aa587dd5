// SPDX-License-Identifier: BSD-3-Clause
// Paced exchange: chunks straight to their targets, in rounds that send one sender to each port.
#include <algorithm>
#include <vector>

#include "schedule/algorithms/credit_exchange.hpp"
#include "schedule/algorithms/exchange.hpp"
#include "schedule/algorithms/own_window.hpp"
#include "schedule/algorithms/parts.hpp"

namespace alltold {
namespace {

/// A row of messages of which at most `window` are under way at once, in each direction; 0: no
/// limit. What is sent waits for what was received, so that no rank runs ahead of those that send
/// to it and two senders meet at one port for no more than a window. A confirmation would say the
/// same later: it would queue behind the data that goes its way.
class Stream {
  public:
    Stream(Builder& builder, int window) : builder_(builder), sent_(window), received_(window) {}

    void send(const Region& chunk, int to) {
        sent_.push(builder_.send(chunk, to, {sent_.oldest(), received_.oldest()}));
    }
    void receive(const Region& chunk, int from) {
        received_.push(builder_.receive(chunk, from, {received_.oldest()}));
    }

  private:
    /// The last `window` messages one way.
    class Recent {
      public:
        explicit Recent(int window) : steps_(static_cast<std::size_t>(window), no_step) {}
        /// The one before so many others; no_step where there is none or no limit.
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
        : task_(task), exchange_(task), chunks_(task.parameters.segment_bytes),
          clusters_(task.parameters.clusters.value_or(Clusters({task.ranks}))),
          builder_(2 * rounds() * static_cast<std::size_t>(task.ranks)),
          local_(builder_, task.parameters.window), mine_(clusters_.cluster_of(task.rank)),
          place_(task.rank - clusters_.first(mine_)),
          wide_(builder_, own_inter_cluster_window(clusters_, clusters_.size(mine_),
                                                   task.parameters.inter_cluster_window)) {}

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
                most = std::max({most, chunks_.count(exchange_.outgoing(peer)),
                                 chunks_.count(exchange_.incoming(peer))});
        return most;
    }

    /// One chunk for every rank of the own cluster, in rotated order.
    void local_round(std::uint64_t round) {
        const int size = clusters_.size(mine_);
        for (int distance = 1; distance < size; ++distance)
            exchange(local_, round, member(mine_, (place_ + distance) % size),
                     member(mine_, (place_ - distance + size) % size));
    }

    /// One chunk for every rank of the other clusters: at each distance the ranks of two clusters
    /// pair up one to one, as far as the smaller one goes.
    void remote_round(std::uint64_t round) {
        const int count = clusters_.count();
        const int longest = *std::max_element(clusters_.sizes().begin(), clusters_.sizes().end());
        for (int distance = 0; distance < longest; ++distance)
            for (int step = 1; step < count; ++step) {
                const int target = (mine_ + step) % count;
                const int source = (mine_ - step + count) % count;
                exchange(wide_, round, partner(target, distance), partner(source, -distance));
            }
    }

    /// The rank of cluster `other` that this one meets at `distance`; -1 when it meets none.
    int partner(int other, int distance) const {
        const int size = std::max(clusters_.size(mine_), clusters_.size(other));
        if (std::abs(distance) >= size)
            return -1;
        const int place = (place_ + distance + size) % size;
        return place < clusters_.size(other) ? member(other, place) : -1;
    }

    void exchange(Stream& stream, std::uint64_t round, int to, int from) {
        // Sending first: it waits for what was received before this round, not in it.
        if (to >= 0)
            stream.send(chunks_.of(exchange_.outgoing(to), round), to);
        if (from >= 0)
            stream.receive(chunks_.of(exchange_.incoming(from), round), from);
    }

    int member(int cluster, int place) const { return clusters_.first(cluster) + place; }

    const Task& task_;
    Exchange exchange_;
    Chunks chunks_;
    Clusters clusters_;
    Builder builder_;
    Stream local_;
    int mine_, place_;
    Stream wide_;
};

Schedule generate(const Task& task) {
    return task.shares ? credit_exchange(task) : Paced(task).run();
}

} // namespace

extern const Algorithm alltoall_paced{
    .name = "alltoall.paced",
    .collective = Collective::alltoall,
    .wins = "long messages and small buffers: links stay full and no queue overflows",
    .generate = generate,
    .segment = Algorithm::Use::may,
    .window = Algorithm::Use::may,
    .inter_cluster_window = Algorithm::Use::may,
    .clusters = Algorithm::Use::may,
    .vectors = true,
};

} // namespace alltold

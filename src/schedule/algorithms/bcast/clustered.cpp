// SPDX-License-Identifier: BSD-3-Clause
// A broadcast whose segments each cross to every other cluster once, while they spread in each.
#include <vector>

#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/circulant.hpp"

namespace alltold {
namespace {

// Each cluster runs the circulant pipeline, the root's from the root, the others from their head,
// which is their lowest rank. In the root's cluster there is one link idle in every round, that of
// the rank which would send a segment back to the root; it sends it to the heads instead. So a
// segment crosses as soon as it can without costing the root's link anything, over several
// connections. The last segment, which never comes back, crosses from the root itself, and so
// does a message of one segment: before it goes to anyone near.
class Clustered {
  public:
    explicit Clustered(const Task& task)
        : task_(task), clusters_(*task.parameters.clusters), mine_(clusters_.cluster_of(task.rank)),
          roots_(clusters_.cluster_of(task.root)),
          parts_({Buffer::receive, 0, task.size_bytes}, task.parameters.segment_bytes),
          here_(static_cast<std::size_t>(parts_.count()), no_step), builder_(3 * here_.size()) {}

    Schedule run() && {
        const int place = place_of(task_.rank);
        const auto last = parts_.count() - 1;
        if (mine_ != roots_ && place == 0)
            receive_what_crosses();
        if (task_.rank == task_.root)
            for (auto block = clusters_.size(mine_) == 1 ? 0 : last; block <= last; ++block)
                cross(block, no_step);
        const auto rounds = circulant_rounds(place, clusters_.size(mine_), parts_.count());
        add_rounds(
            builder_, rounds, place, parts_, here_,
            [&](int other) { return rank_at(mine_, other); },
            [&](std::int64_t block, Step after) {
                if (mine_ == roots_)
                    cross(block, after);
            });
        return std::move(builder_).finish();
    }

  private:
    int origin(int cluster) const {
        return cluster == roots_ ? task_.root : clusters_.first(cluster);
    }
    /// Places of a cluster count from its origin round all its ranks.
    int rank_at(int cluster, int place) const {
        const int first = clusters_.first(cluster);
        return first + (origin(cluster) - first + place) % clusters_.size(cluster);
    }
    int place_of(int rank) const {
        return (rank - origin(mine_) + clusters_.size(mine_)) % clusters_.size(mine_);
    }

    void cross(std::int64_t block, Step after) {
        for (int distance = 1; distance < clusters_.count(); ++distance)
            builder_.send(parts_.at(block),
                          clusters_.first((roots_ + distance) % clusters_.count()), {after});
    }

    void receive_what_crosses() {
        const int size = clusters_.size(roots_);
        const auto receive = [&](std::int64_t block, int from) {
            here_[static_cast<std::size_t>(block)] = builder_.receive(parts_.at(block), from);
        };
        for (const auto& round : circulant_rounds(0, size, parts_.count()))
            if (round.from >= 0)
                receive(round.received, rank_at(roots_, round.from));
        const auto last = parts_.count() - 1;
        for (auto block = size == 1 ? 0 : last; block <= last; ++block)
            receive(block, task_.root);
    }

    const Task& task_;
    const Clusters& clusters_;
    int mine_, roots_;
    Parts parts_;
    std::vector<Step> here_; ///< per segment: the step after which it can be sent
    Builder builder_;
};

Schedule generate(const Task& task) {
    return task.size_bytes == 0 ? Schedule() : Clustered(task).run();
}

} // namespace

extern const Algorithm bcast_clustered{
    .name = "bcast.clustered",
    .collective = Collective::bcast,
    .wins = "clusters: each segment crosses once per cluster while others spread locally",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold

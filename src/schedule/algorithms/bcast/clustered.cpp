// SPDX-License-Identifier: BSD-3-Clause
// A broadcast whose segments cross once to every other cluster while they spread within each.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/algorithms/circulant.hpp"

namespace alltold::bcast_clustered {
namespace {

// Each cluster runs the circulant pipeline: the root's cluster from the root, the others from their
// head, the lowest rank. In each round one link of the root's cluster is idle, that of the rank
// which would send a segment back to the root. That rank sends it to the heads instead, so a
// segment crosses as soon as possible, over several connections and at no cost to the root's link.
// The last segment never comes back, so the root itself sends it to the heads, before it sends it
// within its cluster. A message of one segment is such a last segment.
class Clustered {
  public:
    explicit Clustered(const Task& task)
        : task_(task), clusters_(*task.parameters.clusters), mine_(clusters_.cluster_of(task.rank)),
          roots_(clusters_.cluster_of(task.root)),
          segments_({Buffer::receive, 0, task.size_bytes}, task.parameters.segment_bytes),
          here_(static_cast<std::size_t>(segments_.count()), no_step), builder_(3 * here_.size()) {}

    Schedule run() && {
        const int place = place_of(task_.rank);
        const auto last = segments_.count() - 1;
        if (mine_ != roots_ && place == 0)
            receive_from_root_cluster();
        if (task_.rank == task_.root)
            for (auto block = clusters_.size(mine_) == 1 ? 0 : last; block <= last; ++block)
                cross(block, no_step);
        const auto rounds = circulant_rounds(place, clusters_.size(mine_), segments_.count());
        add_rounds(
            builder_, rounds, place, segments_, here_,
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
    /// Places of a cluster start at its origin and wrap around its ranks.
    int rank_at(int cluster, int place) const {
        const int first = clusters_.first(cluster);
        return first + (origin(cluster) - first + place) % clusters_.size(cluster);
    }
    int place_of(int rank) const {
        return (rank - origin(mine_) + clusters_.size(mine_)) % clusters_.size(mine_);
    }

    void cross(std::int64_t block, Step after) {
        for (int distance = 1; distance < clusters_.count(); ++distance)
            builder_.send(segments_.at(block),
                          clusters_.first((roots_ + distance) % clusters_.count()), {after});
    }

    void receive_from_root_cluster() {
        const int size = clusters_.size(roots_);
        const auto receive = [&](std::int64_t block, int from) {
            here_[static_cast<std::size_t>(block)] = builder_.receive(segments_.at(block), from);
        };
        for (const auto& round : circulant_rounds(0, size, segments_.count()))
            if (round.from >= 0)
                receive(round.received, rank_at(roots_, round.from));
        const auto last = segments_.count() - 1;
        for (auto block = size == 1 ? 0 : last; block <= last; ++block)
            receive(block, task_.root);
    }

    const Task& task_;
    const Clusters& clusters_;
    int mine_, roots_;
    Segments segments_;
    std::vector<Step> here_; ///< per segment: the step after which it can be sent
    Builder builder_;
};

Schedule generate(const Task& task) {
    return task.size_bytes == 0 ? Schedule() : Clustered(task).run();
}

} // namespace

extern const Algorithm row{
    .name = "bcast.clustered",
    .wins =
        "clusters: every segment crosses once to each cluster while others spread within clusters",
    .generate = generate,
    .segment = Algorithm::Use::must,
    .clusters = Algorithm::Use::must,
};

} // namespace alltold::bcast_clustered

// SPDX-License-Identifier: BSD-3-Clause
// Reductions of blocks that go around a ring: first as they are combined, then as they are spread.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/segments.hpp"

namespace alltold::block_rings {
namespace {

/// One rank among `ranks`, each of which sends to the next only.
class BlockRing {
  public:
    BlockRing(Builder& builder, int rank, int ranks)
        : builder_(builder), rank_(rank), ranks_(ranks),
          sent_(static_cast<std::size_t>(ranks), no_step) {}

    /// Block q starts at rank q + 1, gets every rank's contribution on its way, and ends at rank q:
    /// here in `result`, complete after the returned step. `passing` is memory for the other
    /// blocks.
    Step reduce_scatter(const Segments& own, const Segments& passing, Region result) {
        if (ranks_ == 1)
            return builder_.copy(own.at(0), result);
        Step combined = no_step;
        for (int k = 1; k < ranks_; ++k) {
            const int leaves = behind(k), arrives = behind(k + 1);
            if (k == 1)
                builder_.send(own.at(leaves), next());
            else
                sent_[static_cast<std::size_t>(leaves)] =
                    builder_.send(passing.at(leaves), next(), {combined});
            const auto into = arrives == rank_ ? result : passing.at(arrives);
            const auto received = builder_.receive(into, behind(1));
            combined = builder_.combine(own.at(arrives), into, {received});
        }
        return combined;
    }

    /// Every rank has its own block after `here`, and then all. What reduce_scatter() sent from the
    /// same memory is overwritten only then.
    void allgather(const Segments& all, Step here) {
        for (int k = 0; k + 1 < ranks_; ++k) {
            const int arrives = behind(k + 1);
            builder_.send(all.at(behind(k)), next(), {here});
            here = builder_.receive(all.at(arrives), behind(1),
                                    {sent_[static_cast<std::size_t>(arrives)]});
        }
    }

  private:
    int next() const { return (rank_ + 1) % ranks_; }
    /// The rank `distance` before this one; at most `ranks`.
    int behind(int distance) const { return (rank_ + ranks_ - distance) % ranks_; }

    Builder& builder_;
    int rank_, ranks_;
    std::vector<Step> sent_; ///< per block
};

Schedule allreduce_ring(const Task& task) {
    const auto blocks_of = [&](Buffer buffer) {
        return Segments::parts({buffer, 0, task.size_bytes}, task.ranks, task.reduction.unit_bytes);
    };
    Builder builder(static_cast<std::size_t>(5 * task.ranks));
    BlockRing ring(builder, task.rank, task.ranks);
    const auto all = blocks_of(Buffer::receive);
    ring.allgather(all, ring.reduce_scatter(blocks_of(Buffer::send), all, all.at(task.rank)));
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes,
                     task.reduction.unit_bytes);
}

Schedule reduce_scatter_block_ring(const Task& task) {
    const auto blocks = static_cast<std::uint64_t>(task.ranks);
    const auto size = blocks * task.size_bytes;
    const auto unit = task.reduction.unit_bytes;
    Builder builder(static_cast<std::size_t>(3 * task.ranks));
    const auto passing = task.ranks > 2 ? builder.scratch(size) : Region{};
    BlockRing ring(builder, task.rank, task.ranks);
    ring.reduce_scatter(Segments::parts({Buffer::send, 0, size}, task.ranks, unit),
                        Segments::parts(passing, task.ranks, unit),
                        {Buffer::receive, 0, task.size_bytes});
    return segmented(std::move(builder).finish(), task.parameters.segment_bytes, unit);
}

constexpr Algorithm table[]{
    // A reduce-scatter and an allgather around a ring (Patarasuk and Yuan 2009), in segments, so
    // that a rank passes on while it receives.
    {
        .name = "allreduce.ring",
        .wins = "long vectors: every port carries 2 (n-1)/n of the bytes each way, from and to one "
                "neighbour",
        .generate = allreduce_ring,
        .segment = Algorithm::Use::may,
    },
    // Every block goes once around a ring, in segments, and gets one contribution at each rank.
    {
        .name = "reduce_scatter_block.ring",
        .wins = "long blocks: every port carries n - 1 blocks each way, from and to one neighbour",
        .generate = reduce_scatter_block_ring,
        .segment = Algorithm::Use::may,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::block_rings

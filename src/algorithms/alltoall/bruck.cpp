// SPDX-License-Identifier: BSD-3-Clause
// Bruck's exchange: log2 n rounds, each moving half of all blocks (Bruck et al. 1997).
#include <algorithm>

#include "algorithms/exchange.hpp"

namespace alltold {
namespace {

// Blocks are kept by distance: `held` block d travels d ranks onward, in hops of the powers of two
// in d. In the round of one power all blocks whose d has it are packed, sent, and unpacked.
class Bruck {
  public:
    explicit Bruck(const Task& task)
        : task_(task), exchange_(task), builder_(4 * static_cast<std::size_t>(task.ranks) + 32),
          held_(builder_.scratch(exchange_.bytes(task.ranks))),
          packed_(builder_.scratch(exchange_.bytes(task.ranks / 2 + 1))),
          arrived_(builder_.scratch(exchange_.bytes(task.ranks / 2 + 1))) {}

    Schedule run() && {
        rotate_in();
        for (int hop = 1; hop < task_.ranks; hop *= 2)
            round(hop);
        for (int distance = 0; distance < task_.ranks; ++distance)
            copy(part_of(held_, exchange_.bytes(distance), task_.size_bytes),
                 exchange_.incoming((task_.rank - distance + task_.ranks) % task_.ranks));
        return std::move(builder_).finish();
    }

  private:
    /// Copies follow one another in one line, so that each round needs few edges.
    void copy(Region from, Region to) {
        const auto copied = builder_.copy(from, to, {last_});
        last_ = copied != no_step ? copied : last_;
    }

    void rotate_in() {
        const int upper = task_.ranks - task_.rank;
        copy(exchange_.outgoing(task_.rank, upper), part_of(held_, 0, exchange_.bytes(upper)));
        copy(exchange_.outgoing(0, task_.rank),
             part_of(held_, exchange_.bytes(upper), exchange_.bytes(task_.rank)));
    }

    /// Calls `move(region of held, blocks before it)` for each run of distances that have `hop`.
    template <typename Move>
    int for_each_run(int hop, Move move) {
        int blocks = 0;
        for (int distance = hop; distance < task_.ranks; distance += 2 * hop) {
            const int count = std::min(hop, task_.ranks - distance);
            move(part_of(held_, exchange_.bytes(distance), exchange_.bytes(count)),
                 exchange_.bytes(blocks));
            blocks += count;
        }
        return blocks;
    }

    void round(int hop) {
        const int blocks = for_each_run(hop, [&](Region run, std::uint64_t at) {
            copy(run, part_of(packed_, at, run.size_bytes));
        });
        const auto bytes = exchange_.bytes(blocks);
        const auto received =
            builder_.receive(part_of(arrived_, 0, bytes),
                             (task_.rank - hop + task_.ranks) % task_.ranks, {unpacked_});
        const auto sent =
            builder_.send(part_of(packed_, 0, bytes), (task_.rank + hop) % task_.ranks, {last_});
        last_ = builder_.join({sent, received});
        for_each_run(hop, [&](Region run, std::uint64_t at) {
            copy(part_of(arrived_, at, run.size_bytes), run);
        });
        unpacked_ = last_;
    }

    const Task& task_;
    Exchange exchange_;
    Builder builder_;
    Region held_, packed_, arrived_;
    Step last_ = no_step;
    Step unpacked_ = no_step;
};

Schedule generate(const Task& task) {
    return task.size_bytes == 0 ? Schedule() : Bruck(task).run();
}

} // namespace

extern const Algorithm alltoall_bruck{
    .name = "alltoall.bruck",
    .collective = Collective::alltoall,
    .wins = "short messages among many ranks: log2 n starts, each byte sent log2(n)/2 times",
    .generate = generate,
};

} // namespace alltold

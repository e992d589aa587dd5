// SPDX-License-Identifier: BSD-3-Clause
// Bruck's exchange: log2 n rounds, each moving half of all blocks (Bruck et al. 1997).
#include "schedule/algorithms/exchange.hpp"

namespace alltold::alltoall_bruck {
namespace {

// Blocks are kept by distance: `held` block d travels d ranks onward, in hops of the powers of two
// in d. The round of a power packs, sends and unpacks all blocks whose d contains it.
class Bruck {
  public:
    explicit Bruck(const Task& task)
        : task_(task), exchange_(task), builder_(64),
          held_(builder_.scratch(exchange_.bytes(task.ranks))),
          packed_(builder_.scratch(exchange_.bytes(task.ranks / 2 + 1))),
          arrived_(builder_.scratch(exchange_.bytes(task.ranks / 2 + 1))) {}

    Schedule run() && {
        rotate_in();
        for (int hop = 1; hop < task_.ranks; hop *= 2)
            round(hop);
        turn_out();
        return std::move(builder_).finish();
    }

  private:
    /// Copies form one chain, so that each round needs few edges.
    void copy(int rows, Region from, std::uint64_t from_stride, Region to,
              std::uint64_t to_stride) {
        const auto copied = builder_.copy_rows(rows, from, static_cast<std::int64_t>(from_stride),
                                               to, static_cast<std::int64_t>(to_stride), {last_});
        last_ = copied != no_step ? copied : last_;
    }

    /// `count` blocks of held from distance `first` on.
    Region held(int first, int count) const {
        return subregion(held_, exchange_.bytes(first), exchange_.bytes(count));
    }

    void rotate_in() {
        const int upper = task_.ranks - task_.rank;
        copy(1, exchange_.outgoing(task_.rank, upper), 0, held(0, upper), 0);
        copy(1, exchange_.outgoing(0, task_.rank), 0, held(upper, task_.rank), 0);
    }

    /// Held block d came from the rank d before this one, so blocks are copied out in descending
    /// order.
    void turn_out() {
        const auto step = task_.size_bytes;
        copy(task_.rank + 1, held(0, 1), step, exchange_.incoming(task_.rank), -step);
        if (task_.rank + 1 < task_.ranks)
            copy(task_.ranks - task_.rank - 1, held(task_.rank + 1, 1), step,
                 exchange_.incoming(task_.ranks - 1), -step);
    }

    /// The blocks whose distance contains `hop`: full runs of `hop` blocks, every 2 * hop, and one
    /// last run that may be shorter.
    struct Runs {
        int whole, rest;
        int blocks(int hop) const { return whole * hop + rest; }
    };
    Runs runs_with(int hop) const {
        const int whole = task_.ranks / (2 * hop);
        return {whole, std::max(0, task_.ranks - whole * 2 * hop - hop)};
    }

    void round(int hop) {
        const auto runs = runs_with(hop);
        const auto bytes = exchange_.bytes(runs.blocks(hop));
        const auto every = exchange_.bytes(2 * hop), run = exchange_.bytes(hop);
        const int last_run = runs.whole * 2 * hop + hop;
        const auto run_in = [&](const Region& dense) { return subregion(dense, 0, run); };
        const auto rest_in = [&](const Region& dense) {
            return subregion(dense, exchange_.bytes(runs.whole * hop), exchange_.bytes(runs.rest));
        };
        if (runs.whole > 0)
            copy(runs.whole, held(hop, hop), every, run_in(packed_), run);
        if (runs.rest > 0)
            copy(1, held(last_run, runs.rest), 0, rest_in(packed_), 0);
        const auto received =
            builder_.receive(subregion(arrived_, 0, bytes),
                             (task_.rank - hop + task_.ranks) % task_.ranks, {unpacked_});
        const auto sent =
            builder_.send(subregion(packed_, 0, bytes), (task_.rank + hop) % task_.ranks, {last_});
        last_ = builder_.join({sent, received});
        if (runs.whole > 0)
            copy(runs.whole, run_in(arrived_), run, held(hop, hop), every);
        if (runs.rest > 0)
            copy(1, rest_in(arrived_), 0, held(last_run, runs.rest), 0);
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

extern const Algorithm row{
    .name = "alltoall.bruck",
    .wins = "short messages among many ranks: log2 n rounds, each byte sent log2(n)/2 times",
    .generate = generate,
};

} // namespace alltold::alltoall_bruck

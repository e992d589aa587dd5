// SPDX-License-Identifier: BSD-3-Clause
// In round k each rank sends the rank k ahead its block, and combines what comes from k behind.
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/builder.hpp"

namespace alltold::reduce_scatter_block_pairwise {
namespace {

/// Combines in the order of ranks. From below come the nearest ranks first: each is the left
/// operand of all that came before. Those from above follow, the highest first; they are combined
/// by themselves, and at last with the rest.
class InOrder {
  public:
    InOrder(Builder& builder, const Task& task)
        : builder_(builder), rank_(task.rank), result_{Buffer::receive, 0, task.size_bytes},
          low_{Buffer::send, static_cast<std::uint64_t>(rank_) * task.size_bytes, task.size_bytes} {
        const bool highest = rank_ + 1 == task.ranks;
        if (rank_ == 0 && !highest)
            return;
        const auto own = low_;
        low_ = highest ? result_ : builder.scratch(task.size_bytes);
        low_ready_ = builder.copy(own, low_);
    }

    Step receive(int from) {
        const bool first_above = from > rank_ && high_ready_ == no_step;
        const auto arrived = first_above ? result_ : builder_.scratch(result_.size_bytes);
        const auto received = builder_.receive(arrived, from);
        if (from < rank_)
            low_ready_ = builder_.combine(arrived, low_, {received, low_ready_});
        else
            high_ready_ = first_above ? received
                                      : builder_.combine(arrived, result_, {received, high_ready_});
        return received;
    }
    void finish() {
        if (high_ready_ != no_step)
            builder_.combine(low_, result_, {low_ready_, high_ready_});
    }

  private:
    Builder& builder_;
    int rank_;
    Region result_; ///< holds what came from above, if anything does
    Region low_;    ///< of ranks 0 to this one
    Step low_ready_ = no_step, high_ready_ = no_step;
};

Schedule generate(const Task& task) {
    const auto n = task.ranks;
    Builder builder(static_cast<std::size_t>(3 * n));
    InOrder combined(builder, task);
    Step sent = no_step, received = no_step;
    for (int k = 1; k < n; ++k) {
        const int to = (task.rank + k) % n, from = (task.rank - k + n) % n;
        const Region block{Buffer::send, static_cast<std::uint64_t>(to) * task.size_bytes,
                           task.size_bytes};
        sent = builder.send(block, to, {sent, received});
        received = combined.receive(from);
    }
    combined.finish();
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "reduce_scatter_block.pairwise",
    .wins = "medium and long blocks with an operator that does not commute: n - 1 blocks each way",
    .generate = generate,
    .in_order = true,
};

} // namespace alltold::reduce_scatter_block_pairwise

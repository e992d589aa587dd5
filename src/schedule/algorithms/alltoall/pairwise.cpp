// SPDX-License-Identifier: BSD-3-Clause
// Pairwise exchange: in every round each rank sends to one and receives from one.
#include <bit>

#include "schedule/algorithms/exchange.hpp"

namespace alltold::alltoall_pairwise {
namespace {

// With a power of two of ranks the two are the same partner (rank xor round); otherwise the rounds
// are rotations. An empty block of an all-to-all-v omits its message; the order stays the same.
Schedule generate(const Task& task) {
    const Exchange exchange(task);
    const bool swap = std::has_single_bit(static_cast<unsigned>(task.ranks));
    Builder builder(2 * static_cast<std::size_t>(task.ranks));
    Step sent = no_step, received = no_step;
    for (int round = 1; round < task.ranks; ++round) {
        const int to = swap ? task.rank ^ round : (task.rank + round) % task.ranks;
        const int from = swap ? to : (task.rank - round + task.ranks) % task.ranks;
        const auto receiving = builder.receive(exchange.incoming(from), from, {sent, received});
        const auto sending = builder.send(exchange.outgoing(to), to, {sent, received});
        sent = sending != no_step ? sending : sent;
        received = receiving != no_step ? receiving : received;
    }
    exchange.copy_own(builder);
    return std::move(builder).finish();
}

} // namespace

extern const Algorithm row{
    .name = "alltoall.pairwise",
    .collective = Collective::alltoall,
    .wins = "long messages: no port ever receives from two ranks, at the cost of n - 1 rounds",
    .generate = generate,
    .vectors = true,
};

} // namespace alltold::alltoall_pairwise

// SPDX-License-Identifier: BSD-3-Clause
// Every rank sends every block straight to its destination, in one of three orders.
#include <bit>

#include "schedule/algorithms/exchange.hpp"
#include "schedule/algorithms/stream.hpp"

namespace alltold::alltoall_direct_exchanges {
namespace {

Schedule direct(const Task& task) {
    const Exchange exchange(task);
    Builder builder(2 * static_cast<std::size_t>(task.ranks));
    for (int peer = 0; peer < task.ranks; ++peer)
        if (peer != task.rank)
            builder.receive(exchange.incoming(peer), peer);
    for (int peer = 0; peer < task.ranks; ++peer)
        if (peer != task.rank)
            builder.send(exchange.outgoing(peer), peer);
    exchange.copy_own(builder);
    return std::move(builder).finish();
}

// With a power of two of ranks the two are the same partner (rank xor round); otherwise the rounds
// are rotations. An empty block of an all-to-all-v omits its message; the order stays the same.
Schedule pairwise(const Task& task) {
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

/// Adds `message(distance)` for every distance, each after the one `window` messages before it.
template <typename Message>
void in_window(const Task& task, Builder& builder, Message message) {
    Recent recent(std::min(task.parameters.window, task.ranks));
    for (int distance = 1; distance < task.ranks; ++distance) {
        const Step step = message(distance);
        builder.also_after(step, recent.oldest());
        recent.push(step);
    }
}

Schedule rotated(const Task& task) {
    const Exchange exchange(task);
    Builder builder(2 * static_cast<std::size_t>(task.ranks));
    in_window(task, builder, [&](int distance) {
        const int peer = (task.rank - distance + task.ranks) % task.ranks;
        return builder.receive(exchange.incoming(peer), peer);
    });
    in_window(task, builder, [&](int distance) {
        const int peer = (task.rank + distance) % task.ranks;
        return builder.send(exchange.outgoing(peer), peer);
    });
    exchange.copy_own(builder);
    return std::move(builder).finish();
}

Limits rotated_limits(int window) {
    return {.per_rank = window};
}

constexpr Algorithm table[]{
    // Direct exchange: every rank sends to ranks 0, 1, 2, ... in the same order (Barchet-Steffenel
    // and Mounie 2004).
    {
        .name = "alltoall.direct",
        .wins = "rarely: the baseline in which all ranks send to the same rank at once",
        .generate = direct,
        .vectors = true,
    },
    // Pairwise exchange: in every round each rank sends to one and receives from one.
    {
        .name = "alltoall.pairwise",
        .wins = "long messages: no port ever receives from two ranks, at the cost of n - 1 rounds",
        .generate = pairwise,
        .vectors = true,
    },
    // Direct exchange in rotated order, with a window of messages in flight.
    {
        .name = "alltoall.rotated",
        .wins = "medium messages; a small window keeps switch buffers from overflowing",
        .generate = rotated,
        .window = Algorithm::Use::may,
        .vectors = true,
        .limits = rotated_limits,
    },
};

} // namespace

extern constinit const AlgorithmRows rows{table};

} // namespace alltold::alltoall_direct_exchanges

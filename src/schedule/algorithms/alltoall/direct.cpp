// SPDX-License-Identifier: BSD-3-Clause
// Direct exchange: every rank sends to ranks 0, 1, 2, ... in the same order (Barchet-Steffenel and
// Mounie 2004).
#include "schedule/algorithms/exchange.hpp"

namespace alltold::alltoall_direct {
namespace {

Schedule generate(const Task& task) {
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

} // namespace

extern const Algorithm row{
    .name = "alltoall.direct",
    .collective = Collective::alltoall,
    .wins = "rarely: the baseline in which all ranks send to the same rank at once",
    .generate = generate,
    .vectors = true,
};

} // namespace alltold::alltoall_direct

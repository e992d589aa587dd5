// SPDX-License-Identifier: BSD-3-Clause
// A schedule whose messages go to other ranks and tags.
#include "runtime/routes.hpp"

namespace alltold {

Schedule routed(const Schedule& schedule, const Routes& routes, int own) {
    const auto all = schedule.operations();
    std::vector<Operation> operations(all.begin(), all.end());
    std::vector<std::int32_t> first_edge{0}, edges;
    for (int i = 0; i < schedule.size(); ++i) {
        const auto after = schedule.after(i);
        edges.insert(edges.end(), after.begin(), after.end());
        first_edge.push_back(static_cast<std::int32_t>(edges.size()));
        auto& operation = operations[static_cast<std::size_t>(i)];
        if (!operation.is_message())
            continue;
        const auto& peer = routes.peers[static_cast<std::size_t>(operation.peer)];
        const auto& receiver =
            operation.is_outgoing() ? peer : routes.peers[static_cast<std::size_t>(own)];
        operation.peer = peer.rank;
        operation.tag += receiver.first_tag;
    }
    return {std::move(operations), std::move(first_edge), std::move(edges),
            schedule.scratch_bytes()};
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The claims of SMT07 section 4 for one digraph on one network.
#include "predict/bounds/exchange_bounds.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "predict/bounds/bounds.hpp"

namespace alltold {

ExchangeBounds exchange_bounds(const MessageDigraph& messages, const Hockney& network) {
    const auto n = static_cast<std::size_t>(messages.n());
    std::vector<double> sending_s(n), receiving_s(n);
    for (const auto& arc : messages.arcs()) {
        sending_s[static_cast<std::size_t>(arc.from)] += network.time_s(arc.size_bytes);
        receiving_s[static_cast<std::size_t>(arc.to)] += network.time_s(arc.size_bytes);
    }
    return {messages.startups(), messages.bandwidth_bound_s(network), messages.bound_s(network),
            std::max(std::ranges::max(sending_s), std::ranges::max(receiving_s))};
}

ExchangeBounds exchange_bounds(const MessageDigraph& messages, const Hockney& network,
                               const Clusters& clusters) {
    assert(messages.n() == clusters.ranks());
    MessageDigraph crossing(messages.n());
    for (const auto& arc : messages.arcs())
        if (clusters.host_of(arc.from) != clusters.host_of(arc.to))
            crossing.add(arc);
    auto bounds = exchange_bounds(crossing, network);
    bounds.bandwidth_s = between_hosts(messages, clusters).bandwidth_bound_s(network);
    bounds.total_s = std::max(bounds.total_s, bounds.bandwidth_s);
    bounds.total_any_s = std::max(bounds.total_any_s, bounds.bandwidth_s);
    return bounds;
}

} // namespace alltold

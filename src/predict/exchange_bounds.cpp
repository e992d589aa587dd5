// SPDX-License-Identifier: BSD-3-Clause
// The claims of SMT07 section 4 for one digraph on one network.
#include "predict/exchange_bounds.hpp"

#include <algorithm>
#include <vector>

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

} // namespace alltold

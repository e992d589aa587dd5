// SPDX-License-Identifier: BSD-3-Clause
#include "network/links/link_network.hpp"

#include <numeric>

#include "topology/rank_order.hpp"

namespace alltold {

std::vector<int> LinkNetwork::places_of(const Clusters& call) const {
    auto place = of_clusters ? place_of(call, *of_clusters) : std::vector<int>();
    if (place.empty()) {
        place.resize(static_cast<std::size_t>(call.count()));
        std::iota(place.begin(), place.end(), 0);
    }
    return place;
}

LinkNetwork LinkNetwork::on(const Clusters& call) const {
    if (!of_clusters)
        return *this;
    const auto place = places_of(call);
    LinkNetwork links = *this;
    links.of_clusters.reset();
    links.ports.clear();
    links.paths.clear();
    for (std::size_t here = 0; here < place.size(); ++here) {
        if (!ports.empty())
            links.ports.push_back(port_of(place[here]));
        for (std::size_t other = 0; other < here && !paths.empty(); ++other)
            links.paths.push_back(path(place[other], place[here]));
    }
    return links;
}

} // namespace alltold

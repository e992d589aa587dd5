// SPDX-License-Identifier: BSD-3-Clause
// Calls and networks at random, from a seed.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "networks.hpp"
#include "predict/parameters/resolve.hpp"

namespace alltold::test {

/// Those of one block size that have algorithms.
inline const std::vector<Collective>& predicted_collectives() {
    static const auto all = [] {
        std::vector<Collective> collectives;
        for (const auto collective : uniform_collectives)
            if (std::ranges::count(registry(), collective, &Algorithm::collective) > 0)
                collectives.push_back(collective);
        return collectives;
    }();
    return all;
}

/// Up to 33 ranks in 1 to 4 clusters, blocks of 1 byte to 1 MiB, root 0.
inline CollectiveCall random_call(Random& random) {
    const auto count = 1 + random.index(4);
    std::vector<int> sizes;
    for (std::size_t i = 0; i < count; ++i)
        sizes.push_back(1 + static_cast<int>(random.index(33 / count)));
    if (count == 1 && sizes[0] == 1)
        sizes[0] = 2;
    const auto size_bytes = (std::uint64_t{1} << random.index(20)) + random.index(1000);
    const auto& collectives = predicted_collectives();
    return {collectives[random.index(collectives.size())], Clusters(sizes), size_bytes};
}

inline std::string text_of(const CollectiveCall& call) {
    return std::string(name_of(call.collective)) + " on " + call.clusters.text() + ", " +
           std::to_string(call.size_bytes) + " bytes: ";
}

/// With and without pLogP, links, a backbone, an initial window, buffers; sometimes with nothing.
inline Network random_network(Random& random) {
    const auto maybe = [&] { return random.index(4) > 0; };
    const auto scaled = [&](double value) {
        return value * static_cast<double>(1 + random.index(100));
    };
    Network network;
    if (maybe())
        network = pairs_of(scaled(2e-6), scaled(1e-6), scaled(1e6));
    if (!maybe())
        return network;
    network.links.emplace();
    auto& links = *network.links;
    links.port = {scaled(1e6), scaled(2e-6), maybe() ? scaled(4096) : 0};
    if (maybe())
        links.backbone = Link{scaled(2e6), scaled(1e-4), maybe() ? scaled(8192) : 0};
    links.start_up_s = maybe() ? scaled(1e-6) : 0;
    links.initial_window_bytes = maybe() ? ten_segments_bytes : 0;
    return network;
}

} // namespace alltold::test

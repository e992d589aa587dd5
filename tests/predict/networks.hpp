// SPDX-License-Identifier: BSD-3-Clause
// Networks with known parameters, and clusters by their text.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "network/network.hpp"
#include "topology/clusters.hpp"

namespace alltold::test {

inline Clusters on(std::string_view text) {
    return *Clusters::parse(text);
}

inline Network pairs_of(double latency_s, double start_up_s, double bytes_per_s) {
    Network network;
    network.plogp =
        PLogP{Estimate::exact(latency_s), SizeCurve::line(start_up_s, 1 / bytes_per_s), {}, {}};
    return network;
}

/// Twelve hosts at 50 Mbit/s, far apart or near, and a fast network.
inline Network slow_network() {
    return pairs_of(100e-6, 20e-6, 6e6);
}
inline Network far_network() {
    return pairs_of(20e-3, 30e-6, 12e6);
}
inline Network fast_network() {
    return pairs_of(2e-6, 0.5e-6, 1e9);
}

/// Two switches on a backbone.
inline Network joined_network() {
    Network network = slow_network();
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, Link{24e6, 10e-3, 262144}, 20e-6};
    network.links->initial_window_bytes = ten_segments_bytes;
    return network;
}

/// The network, on which the library's own collectives were measured to take very long, on any
/// clusters between these.
inline Network with_slow_library(Network network, const std::vector<Clusters>& measured,
                                 std::span<const Collective> collectives = papers_collectives) {
    for (const auto collective : collectives)
        for (const auto& clusters : measured)
            for (const std::uint64_t size_bytes : {1 << 0, 1 << 30})
                network.library.push_back({collective, clusters,
                                           traits_of(collective).has_data ? size_bytes : 0,
                                           Estimate::exact(1e4)});
    return network;
}

} // namespace alltold::test

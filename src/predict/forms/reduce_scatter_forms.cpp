// SPDX-License-Identifier: BSD-3-Clause
// Rounds that halve, rounds over all distances, and a ring.
#include "predict/forms/reduce_scatter_forms.hpp"

#include <algorithm>

#include "predict/forms/segment_costs.hpp"

namespace alltold::reduce_scatter {

double halving_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    const auto message_s = [&](int blocks) {
        const double bytes = blocks * size_bytes;
        return network.g_s(bytes) + bytes * combine_s_per_byte;
    };
    const auto round_s = [&](int ranks) {
        const int half = ranks / 2;
        return ranks % 2 == 0 ? message_s(half)
                              : std::max(message_s(half + 1), 2 * message_s(half));
    };
    double time_s = 0;
    for (int larger = n, smaller = n; larger > 1; larger = (larger + 1) / 2, smaller /= 2)
        time_s += network.L_s.value +
                  (smaller > 1 ? std::max(round_s(larger), round_s(smaller)) : round_s(larger));
    return time_s;
}

double circulant_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    double time_s = 0;
    for (int left = n; left > 1; left = (left + 1) / 2) {
        const double bytes = left / 2 * size_bytes;
        time_s += network.L_s.value + network.g_s(bytes) + bytes * combine_s_per_byte;
    }
    return time_s;
}

double pairwise_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    if (n < 3)
        return pairwise_bound_s(network, n, size_bytes, combine_s_per_byte);
    const double round_s = network.L_s.value + network.g_s(size_bytes);
    const double combine_s = size_bytes * combine_s_per_byte;
    return std::max((n - 1) * round_s + 2 * combine_s, 2 * round_s + (n - 1) * combine_s);
}

double pairwise_bound_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    return (n - 1) *
           (network.L_s.value + network.g_s(size_bytes) + size_bytes * combine_s_per_byte);
}

double ring_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
              double combine_s_per_byte) {
    if (n < 2)
        return 0;
    const SegmentCosts costs(network, combine_s_per_byte,
                             SegmentSizes::of(size_bytes, segment_bytes));
    return (n - 2) * std::max({costs.combining_hop_s(), costs.gaps_s(), costs.combinations_s()}) +
           network.L_s.value + costs.received_and_combined_s();
}

} // namespace alltold::reduce_scatter

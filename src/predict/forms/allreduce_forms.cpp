// SPDX-License-Identifier: BSD-3-Clause
// A reduction and its way back.
#include "predict/forms/allreduce_forms.hpp"

#include <algorithm>
#include <cmath>

#include "predict/forms/reduce_scatter_forms.hpp"
#include "predict/forms/segment_costs.hpp"

namespace alltold::allreduce {
double flat_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    if (n < 2)
        return 0;
    const double gap_s = network.g_s(size_bytes), combine_s = size_bytes * combine_s_per_byte;
    return 2 * network.L_s.value + n * gap_s + combine_s + (n - 2) * std::max(gap_s, combine_s);
}

double recursive_doubling_s(const PLogP& network, int n, double size_bytes,
                            double combine_s_per_byte) {
    const double message_s = network.L_s.value + network.g_s(size_bytes);
    const double round_s = message_s + size_bytes * combine_s_per_byte;
    const int rounds = log2_down(n);
    return n == 1 << rounds ? rounds * round_s : (rounds + 1) * round_s + message_s;
}

double rabenseifner_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    const double bytes = size_bytes / n;
    return reduce_scatter::halving_s(network, n, bytes, combine_s_per_byte) +
           reduce_scatter::halving_s(network, n, bytes, 0);
}

double circulant_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    const double bytes = size_bytes / n;
    return reduce_scatter::circulant_s(network, n, bytes, combine_s_per_byte) +
           reduce_scatter::circulant_s(network, n, bytes, 0);
}

double ring_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
              double combine_s_per_byte) {
    if (n < 2)
        return 0;
    auto segments = SegmentSizes::of(std::ceil(size_bytes / n), segment_bytes);
    segments.larger = segments.count;
    const SegmentCosts costs(network, combine_s_per_byte, segments);
    const double combining_pass_s =
        std::max({costs.combining_hop_s(), costs.gaps_s(), costs.combinations_s()});
    const double pass_s = std::max(costs.hop_s(), costs.gaps_s());
    const double turn_s = std::max(costs.combining_hop_s() +
                                       std::max(costs.later_gaps_s(), costs.later_combinations_s()),
                                   costs.gaps_s() + costs.later_gaps_s());
    return (n - 2) * (combining_pass_s + pass_s) + costs.hop_s() + turn_s;
}

double chain_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                         double combine_s_per_byte) {
    if (n < 2)
        return 0;
    const SegmentCosts costs(network, combine_s_per_byte,
                             SegmentSizes::of(size_bytes, segment_bytes));
    const double down_s = costs.combining_hop_s(), up_s = costs.hop_s();
    double time_s =
        std::max((n - 1) * (down_s + up_s) + costs.later_gaps_s(),
                 (n - 1) * (down_s + costs.last_hop_s()) + costs.later_combinations_s());
    if (n > 2)
        time_s = std::max(time_s, (n - 2) * down_s + (n - 3) * costs.last_hop_s() +
                                      network.L_s.value + 2 * costs.gaps_s());
    return time_s;
}

} // namespace alltold::allreduce

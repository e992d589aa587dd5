// SPDX-License-Identifier: BSD-3-Clause
// Scans by doubling and along a chain.
#include "predict/forms/scan_forms.hpp"

#include "predict/forms/segment_costs.hpp"

namespace alltold {
namespace {

double combining_round_s(const PLogP& network, double size_bytes, double combine_s_per_byte) {
    return network.L_s.value + network.g_s(size_bytes) + size_bytes * combine_s_per_byte;
}

} // namespace

double scan::recursive_doubling_s(const PLogP& network, int n, double size_bytes,
                                  double combine_s_per_byte) {
    return log2_up(n) * combining_round_s(network, size_bytes, combine_s_per_byte);
}

double exscan::recursive_doubling_s(const PLogP& network, int n, double size_bytes,
                                    double combine_s_per_byte) {
    if (n < 3)
        return n < 2 ? 0 : network.L_s.value + network.g_s(size_bytes);
    int rounds = 2;
    for (int reached = 3; reached < n - 1; reached *= 2)
        ++rounds;
    return rounds * combining_round_s(network, size_bytes, combine_s_per_byte);
}

double exscan::chain_segmented_s(const PLogP& network, int n, double size_bytes,
                                 double segment_bytes, double combine_s_per_byte) {
    if (n < 2)
        return 0;
    const SegmentCosts costs(network, combine_s_per_byte,
                             SegmentSizes::of(size_bytes, segment_bytes));
    if (n == 2)
        return network.L_s.value + costs.gaps_s();
    return (n - 3) * costs.combining_hop_s() + costs.hop_s() + network.L_s.value +
           costs.combined_and_sent_s();
}

} // namespace alltold

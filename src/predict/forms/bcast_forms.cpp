// SPDX-License-Identifier: BSD-3-Clause
// BM04's table 1, row by row.
#include "predict/forms/bcast_forms.hpp"

#include <algorithm>

#include "network/rounds.hpp"
#include "predict/forms/binomial_recursion.hpp"

namespace alltold::bcast {
namespace {

/// Request and answer, then the latency of the message itself: 2 g(1) + 3 L.
double rendezvous_s(const PLogP& network) {
    return 2 * network.g_s(1) + 3 * network.L_s.value;
}

/// g(s) k.
double all_segments_s(const PLogP& network, const SegmentSizes& segments) {
    return segments.larger * network.g_s(segments.larger_bytes) +
           (segments.count - segments.larger) * network.g_s(segments.smaller_bytes());
}

/// When the first of `children` messages may leave a node that asks them all first.
double granted_s(const PLogP& network, int children) {
    return std::max(children * network.g_s(1), 2 * network.g_s(1) + 2 * network.L_s.value);
}

} // namespace

double flat_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (n - 1) * network.g_s(size_bytes) + network.L_s.value;
}

double flat_rendezvous_s(const PLogP& network, int n, double size_bytes) {
    return n < 2 ? 0 : (n - 1) * network.g_s(size_bytes) + rendezvous_s(network);
}

double flat_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes) {
    const auto segments = SegmentSizes::of(size_bytes, segment_bytes);
    return n < 2 ? 0 : (n - 1) * all_segments_s(network, segments) + network.L_s.value;
}

double chain_s(const PLogP& network, int n, double size_bytes) {
    return (n - 1) * (network.g_s(size_bytes) + network.L_s.value);
}

double chain_rendezvous_s(const PLogP& network, int n, double size_bytes) {
    return (n - 1) * (network.g_s(size_bytes) + rendezvous_s(network));
}

double chain_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes) {
    if (n < 2)
        return 0;
    const auto segments = SegmentSizes::of(size_bytes, segment_bytes);
    return (n - 2) * (network.g_s(segments.larger_bytes) + network.L_s.value) +
           all_segments_s(network, segments) + network.L_s.value;
}

double binary_bound_s(const PLogP& network, int n, double size_bytes) {
    return log2_up(n) * (2 * network.g_s(size_bytes) + network.L_s.value);
}

double binomial_s(const PLogP& network, int n, double size_bytes) {
    return log2_down(n) * network.g_s(size_bytes) + log2_up(n) * network.L_s.value;
}

double binomial_rendezvous_s(const PLogP& network, int n, double size_bytes) {
    return log2_down(n) * network.g_s(size_bytes) + log2_up(n) * rendezvous_s(network);
}

double binomial_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes) {
    const auto segments = SegmentSizes::of(size_bytes, segment_bytes);
    return log2_down(n) * all_segments_s(network, segments) + log2_up(n) * network.L_s.value;
}

double flat_rendezvous_exact_s(const PLogP& network, int n, double size_bytes) {
    return n < 2
               ? 0
               : granted_s(network, n - 1) + (n - 1) * network.g_s(size_bytes) + network.L_s.value;
}

double binary_exact_s(const PLogP& network, int n, double size_bytes) {
    if (n < 2)
        return 0;
    const int depth = log2_down(n);
    const int last_row = n - (1 << depth) + 1;
    const double gap_s = network.g_s(size_bytes);
    return std::max((depth - 1) * (2 * gap_s + network.L_s.value),
                    depth * (gap_s + network.L_s.value) + log2_down(last_row) * gap_s);
}

double binomial_exact_s(const PLogP& network, int n, double size_bytes) {
    return log2_up(n) * network.g_s(size_bytes) + log2_down(n) * network.L_s.value;
}

double binomial_rendezvous_exact_s(const PLogP& network, int n, double size_bytes) {
    const double gap_s = network.g_s(size_bytes);
    return binomial_recursion_s(
        n, network.L_s.value, [&](int children) { return granted_s(network, children); },
        [&](int) { return gap_s; });
}

double binomial_segmented_bound_s(const PLogP& network, int n, double size_bytes,
                                  double segment_bytes) {
    const auto segments = SegmentSizes::of(size_bytes, segment_bytes);
    return log2_up(n) * all_segments_s(network, segments) + log2_down(n) * network.L_s.value;
}

double circulant_bound_s(const PLogP& network, int n, double size_bytes, double segment_bytes) {
    if (n < 2)
        return 0;
    // The root sends every segment once; the last to leave is at its last place so many gaps later.
    const auto segments = SegmentSizes::of(size_bytes, segment_bytes);
    return all_segments_s(network, segments) +
           (log2_up(n) - 1) * network.g_s(segments.smaller_bytes()) + network.L_s.value;
}

double circulant_s(const PLogP& network, int n, double size_bytes, double segment_bytes) {
    if (n < 2)
        return 0;
    const auto segments = SegmentSizes::of(size_bytes, segment_bytes);
    const double gap_s = network.g_s(segments.larger_bytes);
    const double rounds = log2_up(n) + std::min<double>(log2_up(n), segments.count - 1);
    return (segments.count - 1) * gap_s + rounds * (gap_s + network.L_s.value);
}

} // namespace alltold::bcast

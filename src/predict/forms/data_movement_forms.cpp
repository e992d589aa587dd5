// SPDX-License-Identifier: BSD-3-Clause
// BM04's tables row by row, and the forms that they lack.
#include "predict/forms/data_movement_forms.hpp"

#include <map>

#include "network/rounds.hpp"
#include "predict/forms/fan_in.hpp"

namespace alltold {
namespace {

/// Seconds from the root having its data until all n >= 1 nodes have theirs. A node with c children
/// sends its first message `first_s(c)` after it has its own, and then one after the other, the
/// message to a subtree of r nodes taking `gap_s(r)`; a message arrives latency_s after it has
/// left. About log2(n)^2 steps.
template <typename First, typename Gap>
double binomial_recursion_s(int n, double latency_s, First first_s, Gap gap_s) {
    assert(n >= 1);
    std::vector<double> full_s{0}; // of subtrees of 1, 2, 4, ... nodes
    const auto subtree_s = [&](int nodes, const auto& self) -> double {
        const int children = log2_up(nodes);
        if (children < 31 && nodes == 1 << children && children < static_cast<int>(full_s.size()))
            return full_s[static_cast<std::size_t>(children)];
        double sent_s = first_s(children), last_s = 0;
        for (int level = children - 1; level >= 0; --level) {
            const int child = level == children - 1 ? nodes - (1 << level) : 1 << level;
            sent_s += gap_s(child);
            last_s = std::max(last_s, sent_s + latency_s + self(child, self));
        }
        return last_s;
    };
    for (int level = 1; level <= log2_down(n); ++level)
        full_s.push_back(subtree_s(1 << level, subtree_s));
    return subtree_s(n, subtree_s);
}

} // namespace

namespace bcast {
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

double flat_s(const PLogP& network, const CallShape& call) {
    return call.n < 2 ? 0 : (call.n - 1) * network.g_s(call.size_bytes) + network.L_s.value;
}

double flat_rendezvous_s(const PLogP& network, const CallShape& call) {
    return call.n < 2 ? 0 : (call.n - 1) * network.g_s(call.size_bytes) + rendezvous_s(network);
}

double flat_segmented_s(const PLogP& network, const CallShape& call) {
    const auto segments = SegmentSizes::of(call.size_bytes, call.segment_bytes);
    return call.n < 2 ? 0 : (call.n - 1) * all_segments_s(network, segments) + network.L_s.value;
}

double chain_s(const PLogP& network, const CallShape& call) {
    return (call.n - 1) * (network.g_s(call.size_bytes) + network.L_s.value);
}

double chain_rendezvous_s(const PLogP& network, const CallShape& call) {
    return (call.n - 1) * (network.g_s(call.size_bytes) + rendezvous_s(network));
}

double chain_segmented_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const auto segments = SegmentSizes::of(call.size_bytes, call.segment_bytes);
    return (call.n - 2) * (network.g_s(segments.larger_bytes) + network.L_s.value) +
           all_segments_s(network, segments) + network.L_s.value;
}

double binomial_s(const PLogP& network, const CallShape& call) {
    return log2_down(call.n) * network.g_s(call.size_bytes) + log2_up(call.n) * network.L_s.value;
}

double binomial_rendezvous_s(const PLogP& network, const CallShape& call) {
    return log2_down(call.n) * network.g_s(call.size_bytes) +
           log2_up(call.n) * rendezvous_s(network);
}

double binomial_segmented_s(const PLogP& network, const CallShape& call) {
    const auto segments = SegmentSizes::of(call.size_bytes, call.segment_bytes);
    return log2_down(call.n) * all_segments_s(network, segments) +
           log2_up(call.n) * network.L_s.value;
}

double flat_rendezvous_exact_s(const PLogP& network, const CallShape& call) {
    return call.n < 2 ? 0
                      : granted_s(network, call.n - 1) +
                            (call.n - 1) * network.g_s(call.size_bytes) + network.L_s.value;
}

double binary_exact_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const int depth = log2_down(call.n);
    const int last_row = call.n - (1 << depth) + 1;
    const double gap_s = network.g_s(call.size_bytes);
    return std::max((depth - 1) * (2 * gap_s + network.L_s.value),
                    depth * (gap_s + network.L_s.value) + log2_down(last_row) * gap_s);
}

double binomial_exact_s(const PLogP& network, const CallShape& call) {
    return log2_up(call.n) * network.g_s(call.size_bytes) + log2_down(call.n) * network.L_s.value;
}

double binomial_rendezvous_exact_s(const PLogP& network, const CallShape& call) {
    const double gap_s = network.g_s(call.size_bytes);
    return binomial_recursion_s(
        call.n, network.L_s.value, [&](int children) { return granted_s(network, children); },
        [&](int) { return gap_s; });
}

double binomial_segmented_bound_s(const PLogP& network, const CallShape& call) {
    const auto segments = SegmentSizes::of(call.size_bytes, call.segment_bytes);
    return log2_up(call.n) * all_segments_s(network, segments) +
           log2_down(call.n) * network.L_s.value;
}

double circulant_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const auto segments = SegmentSizes::of(call.size_bytes, call.segment_bytes);
    const double gap_s = network.g_s(segments.larger_bytes);
    const double rounds = log2_up(call.n) + std::min<double>(log2_up(call.n), segments.count - 1);
    return (segments.count - 1) * gap_s + rounds * (gap_s + network.L_s.value);
}

} // namespace bcast

namespace scatter {

double chain_s(const PLogP& network, const CallShape& call) {
    double gaps_s = 0;
    for (int blocks = 1; blocks < call.n; ++blocks)
        gaps_s += network.g_s(blocks * call.size_bytes);
    return gaps_s + (call.n - 1) * network.L_s.value;
}

double binomial_s(const PLogP& network, const CallShape& call) {
    double gaps_s = 0;
    for (int j = 0; j < log2_up(call.n); ++j)
        gaps_s += network.g_s(std::ldexp(call.size_bytes, j));
    return gaps_s + log2_up(call.n) * network.L_s.value;
}

double binomial_exact_s(const PLogP& network, const CallShape& call) {
    return binomial_recursion_s(
        call.n, network.L_s.value, [](int) { return 0.0; },
        [&](int blocks) { return network.g_s(blocks * call.size_bytes); });
}

} // namespace scatter

namespace gather {

double windowed_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const int senders = call.n - 1;
    const int width = call.window > 0 ? std::min(call.window, senders) : senders;
    const int later_rounds = (senders + width - 1) / width - 1;
    const double gap_s = network.g_s(call.size_bytes);
    const double round_s = gap_s + network.g_s(1) + 2 * network.L_s.value;
    return network.L_s.value +
           std::max(senders * gap_s,
                    later_rounds * round_s + (senders - later_rounds * width) * gap_s);
}

} // namespace gather

namespace alltoall {

double direct_s(const PLogP& network, const CallShape& call) {
    return call.n < 2 ? 0 : (2.0 * call.n - 3) * network.g_s(call.size_bytes) + network.L_s.value;
}

double rotated_s(const PLogP& network, const CallShape& call) {
    return call.n < 2 ? 0 : (call.n - 1) * network.g_s(call.size_bytes) + network.L_s.value;
}

double pairwise_s(const PLogP& network, const CallShape& call) {
    return (call.n - 1) * (network.g_s(call.size_bytes) + network.L_s.value);
}

double bruck_s(const PLogP& network, const CallShape& call) {
    // All blocks at the start and the end, each rank's own among them.
    double time_s = call.n < 2 ? 0 : 2 * call.n * call.size_bytes * call.copy_s_per_byte;
    for (std::int64_t hop = 1; hop < call.n; hop *= 2) {
        const auto whole = call.n / (2 * hop) * hop;
        const auto blocks = whole + std::max<std::int64_t>(0, call.n % (2 * hop) - hop);
        const double bytes = static_cast<double>(blocks) * call.size_bytes;
        time_s += network.g_s(bytes) + network.L_s.value + 2 * bytes * call.copy_s_per_byte;
    }
    return time_s;
}

} // namespace alltoall

namespace barrier {
namespace {

double round_s(const PLogP& network) {
    return network.g_s(1) + network.L_s.value;
}

/// When the root of a binomial tree of n nodes has heard from all of them.
double heard_s(const FanInCost& cost, int n, std::map<int, double>& known_s) {
    if (const auto known = known_s.find(n); known != known_s.end())
        return known->second;
    std::vector<FanInSender> children;
    for (int place = 1; place < n; place *= 2)
        children.push_back({heard_s(cost, std::min(place, n - place), known_s), place});
    return known_s[n] = fan_in_s(std::move(children), cost);
}

} // namespace

double flat_s(const PLogP& network, const CallShape& call) {
    return 2 * bcast::flat_s(network, {call.n, 1});
}

double binomial_s(const PLogP& network, const CallShape& call) {
    std::map<int, double> known_s;
    return heard_s({network.L_s.value, network.g_s(1), 0}, call.n, known_s) +
           bcast::binomial_exact_s(network, {call.n, 1});
}

double dissemination_s(const PLogP& network, const CallShape& call) {
    return log2_up(call.n) * round_s(network);
}

double recursive_doubling_s(const PLogP& network, const CallShape& call) {
    const int rounds = log2_down(call.n);
    return (call.n == 1 << rounds ? rounds : rounds + 2) * round_s(network);
}

} // namespace barrier

} // namespace alltold

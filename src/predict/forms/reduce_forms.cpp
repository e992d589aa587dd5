// SPDX-License-Identifier: BSD-3-Clause
// Reductions along trees, chains and circulant graphs.
#include "predict/forms/reduce_forms.hpp"

#include <algorithm>
#include <map>

#include "predict/forms/bcast_forms.hpp"
#include "predict/forms/fan_in.hpp"
#include "predict/forms/reduce_scatter_forms.hpp"
#include "predict/forms/segment_costs.hpp"

namespace alltold::reduce {
namespace {

FanInCost cost_of(const PLogP& network, double size_bytes, double combine_s_per_byte) {
    return {network.L_s.value, network.g_s(size_bytes), size_bytes * combine_s_per_byte};
}

/// Halved intervals of ranks (halved_tree of schedule/algorithms/reduce_tree.hpp).
class HalvedTree {
  public:
    explicit HalvedTree(const FanInCost& cost) : cost_(cost) {}

    /// When the rank at place `collector` has what `ranks` ranks have.
    double collected_s(int ranks, int collector) {
        std::vector<FanInSender> senders; // the largest half first
        for (int first = 0, end = ranks; end - first > 1;) {
            const int middle = first + (end - first + 1) / 2;
            if (collector < middle) {
                senders.push_back({at_lowest_s(end - middle), middle});
                end = middle;
            } else {
                senders.push_back({at_lowest_s(middle - first), first});
                first = middle;
            }
        }
        std::ranges::reverse(senders);
        return fan_in_s(std::move(senders), cost_);
    }

  private:
    /// Of a half in which the lowest rank collects; at most two sizes a level.
    double at_lowest_s(int ranks) {
        const auto known = times_s_.find(ranks);
        return known != times_s_.end() ? known->second : times_s_[ranks] = collected_s(ranks, 0);
    }

    FanInCost cost_;
    std::map<int, double> times_s_;
};

/// Ranks between their two subtrees (search_tree of schedule/algorithms/reduce_tree.hpp).
class SearchTree {
  public:
    explicit SearchTree(const FanInCost& cost) : cost_(cost) {}

    /// When the rank at place `here` has what `ranks` ranks have.
    double collected_s(int ranks, int here) {
        std::vector<FanInSender> senders;
        if (here + 1 < ranks)
            senders.push_back({at_middle_s(ranks - here - 1), here + 1});
        if (here > 0)
            senders.push_back({at_middle_s(here), 0});
        return fan_in_s(std::move(senders), cost_);
    }

  private:
    double at_middle_s(int ranks) {
        const auto known = times_s_.find(ranks);
        return known != times_s_.end() ? known->second
                                       : times_s_[ranks] = collected_s(ranks, (ranks - 1) / 2);
    }

    FanInCost cost_;
    std::map<int, double> times_s_;
};

} // namespace

double flat_s(const PLogP& network, int n, int root, double size_bytes, double combine_s_per_byte) {
    if (n < 2)
        return 0;
    const auto cost = cost_of(network, size_bytes, combine_s_per_byte);
    const int above = n - 1 - root;
    if (above == 0)
        return cost.latency_s + (n - 1) * (cost.gap_s + cost.combine_s);
    return cost.latency_s + (root + 1) * cost.gap_s + (root + 1) * cost.combine_s +
           (above - 1) * std::max(cost.gap_s, cost.combine_s);
}

double binomial_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    const auto cost = cost_of(network, size_bytes, combine_s_per_byte);
    return log2_up(n) * (cost.latency_s + cost.gap_s + cost.combine_s);
}

double binomial_exact_s(const PLogP& network, int n, int root, double size_bytes,
                        double combine_s_per_byte) {
    return HalvedTree(cost_of(network, size_bytes, combine_s_per_byte)).collected_s(n, root);
}

double chain_segmented_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                         double combine_s_per_byte) {
    if (n < 2)
        return 0;
    const SegmentCosts costs(network, combine_s_per_byte,
                             SegmentSizes::of(size_bytes, segment_bytes));
    return (n - 2) * costs.combining_hop_s() + network.L_s.value + costs.received_and_combined_s();
}

double binary_segmented_s(const PLogP& network, int n, int root, double size_bytes,
                          double segment_bytes, double combine_s_per_byte) {
    const auto segments = SegmentSizes::of(size_bytes, segment_bytes);
    const auto cost = cost_of(network, segments.larger_bytes, combine_s_per_byte);
    const int children = n > 3 || (n == 3 && root == 1) ? 2 : std::min(n - 1, 1);
    return SearchTree(cost).collected_s(n, root) +
           (segments.count - 1) * children * std::max(cost.gap_s, cost.combine_s);
}

double circulant_bound_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                         double combine_s_per_byte) {
    if (n < 2)
        return 0;
    return bcast::circulant_bound_s(network, n, size_bytes, segment_bytes) +
           SegmentSizes::of(size_bytes, segment_bytes).smaller_bytes() * combine_s_per_byte;
}

double circulant_s(const PLogP& network, int n, double size_bytes, double segment_bytes,
                   double combine_s_per_byte) {
    if (n < 2)
        return 0;
    const auto segments = SegmentSizes::of(size_bytes, segment_bytes);
    const auto cost = cost_of(network, segments.larger_bytes, combine_s_per_byte);
    const double rounds = log2_up(n), others = segments.count - 1;
    return rounds * (cost.latency_s + cost.gap_s + cost.combine_s) +
           (others + std::min(rounds, others)) * std::max(cost.gap_s, cost.combine_s);
}

double rabenseifner_s(const PLogP& network, int n, double size_bytes, double combine_s_per_byte) {
    const double block_bytes = size_bytes / n;
    double gather_s = 0;
    for (int left = n; left > 1; left = (left + 1) / 2)
        gather_s += network.L_s.value + network.g_s((left + 1) / 2 * block_bytes);
    return reduce_scatter::halving_s(network, n, block_bytes, combine_s_per_byte) + gather_s;
}

} // namespace alltold::reduce

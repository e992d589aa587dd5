// SPDX-License-Identifier: BSD-3-Clause
#include "predict/forms/reduction_forms.hpp"

#include <map>

#include "predict/forms/data_movement_forms.hpp"
#include "predict/forms/fan_in.hpp"
#include "predict/forms/segment_costs.hpp"

namespace alltold {
namespace {

/// The call on one of P blocks of the vector.
CallShape on_blocks(CallShape call) {
    call.size_bytes /= call.n;
    return call;
}

CallShape without_combining(CallShape call) {
    call.combine_s_per_byte = 0;
    return call;
}

} // namespace

namespace reduce {
namespace {

FanInCost cost_of(const PLogP& network, double size_bytes, double combine_s_per_byte) {
    return {network.L_s.value, network.g_s(size_bytes), size_bytes * combine_s_per_byte};
}

/// A tree over intervals of ranks, in which every subtree is an interval as well.
class IntervalTree {
  public:
    struct Subtree {
        int first, ranks;
    };
    /// `subtrees_of` the rank at place `here` of an interval, in the order in which they are
    /// combined; in each the rank at place `head_of` collects.
    IntervalTree(const FanInCost& cost, std::vector<Subtree> (*subtrees_of)(int ranks, int here),
                 int (*head_of)(int ranks))
        : cost_(cost), subtrees_of_(subtrees_of), head_of_(head_of) {}

    /// When the rank at place `here` has what `ranks` ranks have.
    double collected_s(int ranks, int here) {
        std::vector<FanInSender> senders;
        for (const auto& [first, count] : subtrees_of_(ranks, here))
            senders.push_back({at_head_s(count), first});
        return fan_in_s(std::move(senders), cost_);
    }

  private:
    double at_head_s(int ranks) { // of few sizes
        const auto known = times_s_.find(ranks);
        return known != times_s_.end() ? known->second
                                       : times_s_[ranks] = collected_s(ranks, head_of_(ranks));
    }

    FanInCost cost_;
    std::vector<Subtree> (*subtrees_of_)(int ranks, int here);
    int (*head_of_)(int ranks);
    std::map<int, double> times_s_;
};

/// Halved intervals (halved_tree of schedule/algorithms/reduce/trees.cpp).
std::vector<IntervalTree::Subtree> halves(int ranks, int collector) {
    std::vector<IntervalTree::Subtree> found; // the largest first
    for (int first = 0, end = ranks; end - first > 1;) {
        const int middle = first + (end - first + 1) / 2;
        if (collector < middle) {
            found.push_back({middle, end - middle});
            end = middle;
        } else {
            found.push_back({first, middle - first});
            first = middle;
        }
    }
    std::ranges::reverse(found);
    return found;
}

/// Ranks between their two subtrees (search_tree there).
std::vector<IntervalTree::Subtree> both_sides(int ranks, int here) {
    std::vector<IntervalTree::Subtree> found;
    if (here + 1 < ranks)
        found.push_back({here + 1, ranks - here - 1});
    if (here > 0)
        found.push_back({0, here});
    return found;
}

} // namespace

double flat_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const auto cost = cost_of(network, call.size_bytes, call.combine_s_per_byte);
    const int above = call.n - 1 - call.root;
    if (above == 0)
        return cost.latency_s + (call.n - 1) * (cost.gap_s + cost.combine_s);
    return cost.latency_s + (call.root + 1) * cost.gap_s + (call.root + 1) * cost.combine_s +
           (above - 1) * std::max(cost.gap_s, cost.combine_s);
}

double binomial_s(const PLogP& network, const CallShape& call) {
    const auto cost = cost_of(network, call.size_bytes, call.combine_s_per_byte);
    return log2_up(call.n) * (cost.latency_s + cost.gap_s + cost.combine_s);
}

double binomial_exact_s(const PLogP& network, const CallShape& call) {
    return IntervalTree(cost_of(network, call.size_bytes, call.combine_s_per_byte), halves,
                        [](int) { return 0; })
        .collected_s(call.n, call.root);
}

double chain_segmented_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const auto costs = costs_of(network, call);
    return (call.n - 2) * costs.combining_hop_s() + network.L_s.value +
           costs.received_and_combined_s();
}

double binary_segmented_s(const PLogP& network, const CallShape& call) {
    const auto segments = SegmentSizes::of(call.size_bytes, call.segment_bytes);
    const auto cost = cost_of(network, segments.larger_bytes, call.combine_s_per_byte);
    const int children =
        call.n > 3 || (call.n == 3 && call.root == 1) ? 2 : std::min(call.n - 1, 1);
    const auto middle = [](int ranks) { return (ranks - 1) / 2; };
    return IntervalTree(cost, both_sides, middle).collected_s(call.n, call.root) +
           (segments.count - 1) * children * std::max(cost.gap_s, cost.combine_s);
}

double circulant_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const auto segments = SegmentSizes::of(call.size_bytes, call.segment_bytes);
    const auto cost = cost_of(network, segments.larger_bytes, call.combine_s_per_byte);
    const double rounds = log2_up(call.n), others = segments.count - 1;
    return rounds * (cost.latency_s + cost.gap_s + cost.combine_s) +
           (others + std::min(rounds, others)) * std::max(cost.gap_s, cost.combine_s);
}

double rabenseifner_s(const PLogP& network, const CallShape& call) {
    const auto blocks = on_blocks(call);
    double gather_s = 0;
    for (int left = call.n; left > 1; left = (left + 1) / 2)
        gather_s += network.L_s.value + network.g_s((left + 1) / 2 * blocks.size_bytes);
    return reduce_scatter::halving_s(network, blocks) + gather_s;
}

} // namespace reduce

namespace allreduce {
double flat_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const double gap_s = network.g_s(call.size_bytes),
                 combine_s = call.size_bytes * call.combine_s_per_byte;
    return 2 * network.L_s.value + call.n * gap_s + combine_s +
           (call.n - 2) * std::max(gap_s, combine_s);
}

double recursive_doubling_s(const PLogP& network, const CallShape& call) {
    const double message_s = network.L_s.value + network.g_s(call.size_bytes);
    const double round_s = message_s + call.size_bytes * call.combine_s_per_byte;
    const int rounds = log2_down(call.n);
    return call.n == 1 << rounds ? rounds * round_s : (rounds + 1) * round_s + message_s;
}

double rabenseifner_s(const PLogP& network, const CallShape& call) {
    const auto blocks = on_blocks(call);
    return reduce_scatter::halving_s(network, blocks) +
           reduce_scatter::halving_s(network, without_combining(blocks));
}

double circulant_s(const PLogP& network, const CallShape& call) {
    const auto blocks = on_blocks(call);
    return reduce_scatter::circulant_s(network, blocks) +
           reduce_scatter::circulant_s(network, without_combining(blocks));
}

double ring_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    auto segments = SegmentSizes::of(std::ceil(call.size_bytes / call.n), call.segment_bytes);
    segments.larger = segments.count;
    const SegmentCosts costs(network, call.combine_s_per_byte, segments);
    const double combining_pass_s =
        std::max({costs.combining_hop_s(), costs.gaps_s(), costs.combinations_s()});
    const double pass_s = std::max(costs.hop_s(), costs.gaps_s());
    const double turn_s = std::max(costs.combining_hop_s() +
                                       std::max(costs.later_gaps_s(), costs.later_combinations_s()),
                                   costs.gaps_s() + costs.later_gaps_s());
    return (call.n - 2) * (combining_pass_s + pass_s) + costs.hop_s() + turn_s;
}

double chain_segmented_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const auto costs = costs_of(network, call);
    const double down_s = costs.combining_hop_s(), up_s = costs.hop_s();
    double time_s =
        std::max((call.n - 1) * (down_s + up_s) + costs.later_gaps_s(),
                 (call.n - 1) * (down_s + costs.last_hop_s()) + costs.later_combinations_s());
    if (call.n > 2)
        time_s = std::max(time_s, (call.n - 2) * down_s + (call.n - 3) * costs.last_hop_s() +
                                      network.L_s.value + 2 * costs.gaps_s());
    return time_s;
}

} // namespace allreduce

namespace reduce_scatter {

double halving_s(const PLogP& network, const CallShape& call) {
    const auto message_s = [&](int blocks) {
        const double bytes = blocks * call.size_bytes;
        return network.g_s(bytes) + bytes * call.combine_s_per_byte;
    };
    const auto round_s = [&](int ranks) {
        const int half = ranks / 2;
        return ranks % 2 == 0 ? message_s(half)
                              : std::max(message_s(half + 1), 2 * message_s(half));
    };
    double time_s = 0;
    for (int larger = call.n, smaller = call.n; larger > 1; larger = (larger + 1) / 2, smaller /= 2)
        time_s += network.L_s.value +
                  (smaller > 1 ? std::max(round_s(larger), round_s(smaller)) : round_s(larger));
    return time_s;
}

double circulant_s(const PLogP& network, const CallShape& call) {
    double time_s = 0;
    for (int left = call.n; left > 1; left = (left + 1) / 2) {
        const double bytes = left / 2 * call.size_bytes;
        time_s += network.L_s.value + network.g_s(bytes) + bytes * call.combine_s_per_byte;
    }
    return time_s;
}

double pairwise_s(const PLogP& network, const CallShape& call) {
    if (call.n < 3)
        return pairwise_bound_s(network, call);
    const double round_s = network.L_s.value + network.g_s(call.size_bytes);
    const double combine_s = call.size_bytes * call.combine_s_per_byte;
    return std::max((call.n - 1) * round_s + 2 * combine_s, 2 * round_s + (call.n - 1) * combine_s);
}

double pairwise_bound_s(const PLogP& network, const CallShape& call) {
    return (call.n - 1) * (network.L_s.value + network.g_s(call.size_bytes) +
                           call.size_bytes * call.combine_s_per_byte);
}

double ring_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const auto costs = costs_of(network, call);
    return (call.n - 2) *
               std::max({costs.combining_hop_s(), costs.gaps_s(), costs.combinations_s()}) +
           network.L_s.value + costs.received_and_combined_s();
}

} // namespace reduce_scatter

namespace {

double combining_round_s(const PLogP& network, double size_bytes, double combine_s_per_byte) {
    return network.L_s.value + network.g_s(size_bytes) + size_bytes * combine_s_per_byte;
}

} // namespace

double scan::recursive_doubling_s(const PLogP& network, const CallShape& call) {
    return log2_up(call.n) * combining_round_s(network, call.size_bytes, call.combine_s_per_byte);
}

double exscan::recursive_doubling_s(const PLogP& network, const CallShape& call) {
    if (call.n < 3)
        return call.n < 2 ? 0 : network.L_s.value + network.g_s(call.size_bytes);
    int rounds = 2;
    for (int reached = 3; reached < call.n - 1; reached *= 2)
        ++rounds;
    return rounds * combining_round_s(network, call.size_bytes, call.combine_s_per_byte);
}

double exscan::chain_segmented_s(const PLogP& network, const CallShape& call) {
    if (call.n < 2)
        return 0;
    const auto costs = costs_of(network, call);
    if (call.n == 2)
        return network.L_s.value + costs.gaps_s();
    return (call.n - 3) * costs.combining_hop_s() + costs.hop_s() + network.L_s.value +
           costs.combined_and_sent_s();
}

} // namespace alltold

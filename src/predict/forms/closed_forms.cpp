// SPDX-License-Identifier: BSD-3-Clause
#include "predict/forms/closed_forms.hpp"

#include <array>

#include "predict/forms/data_movement_forms.hpp"
#include "predict/forms/reduction_forms.hpp"
#include "predict/forms/segment_costs.hpp"

namespace alltold {
namespace {

template <Relation relation>
Relation always(const PLogP&, const CallShape&) {
    return relation;
}

bool power_of_two(int n) {
    return std::has_single_bit(static_cast<unsigned>(n));
}

/// Whether a larger message never has a smaller gap.
bool gaps_grow(const PLogP& network) {
    const auto& points = network.g_s.points();
    return std::ranges::is_sorted(points, {}, [](const auto& point) { return point.time_s.value; });
}

/// Answers come in before the message that waits for them could leave.
bool answers_keep_up(const PLogP& network, const CallShape& call) {
    return network.g_s(call.size_bytes) >= network.g_s(1);
}

/// The answer to the first of `requests` is back only when all of them have left.
bool requests_fit(const PLogP& network, int requests) {
    return (requests - 2) * network.g_s(1) <= 2 * network.L_s.value;
}

Relation with_answers(const PLogP& network, const CallShape& call) {
    return answers_keep_up(network, call) ? Relation::exact : Relation::approximation;
}

Relation flat_rendezvous(const PLogP& network, const CallShape& call) {
    if (!answers_keep_up(network, call))
        return Relation::approximation;
    return requests_fit(network, call.n - 1) ? Relation::exact : Relation::lower_bound;
}

/// The paper exchanges floor and ceil: ceil(log2 P) messages leave our root.
Relation binomial(const PLogP& network, const CallShape& call) {
    if (power_of_two(call.n))
        return Relation::exact;
    return network.g_s(call.size_bytes) <= network.L_s.value ? Relation::upper_bound
                                                             : Relation::lower_bound;
}

Relation binomial_rendezvous(const PLogP& network, const CallShape& call) {
    if (!power_of_two(call.n) || !answers_keep_up(network, call))
        return Relation::approximation;
    return requests_fit(network, log2_up(call.n)) ? Relation::exact : Relation::lower_bound;
}

bool one_segment(const CallShape& call) {
    return call.segment_bytes <= 0 || call.segment_bytes >= call.size_bytes;
}

Relation binomial_segmented(const PLogP&, const CallShape& call) {
    if (!power_of_two(call.n))
        return Relation::approximation;
    return one_segment(call) ? Relation::exact : Relation::upper_bound;
}

Relation binomial_segmented_bound(const PLogP&, const CallShape& call) {
    return one_segment(call) ? Relation::exact : Relation::upper_bound;
}

Relation circulant(const PLogP&, const CallShape& call) {
    return one_segment(call) && power_of_two(call.n) ? Relation::exact : Relation::approximation;
}

/// Scatter and gather: the sum over full subtrees counts blocks that do not exist.
Relation full_subtrees(const PLogP& network, const CallShape& call) {
    if (power_of_two(call.n))
        return Relation::exact;
    return gaps_grow(network) ? Relation::upper_bound : Relation::approximation;
}

Relation one_segment_only(const PLogP&, const CallShape& call) {
    return one_segment(call) ? Relation::exact : Relation::approximation;
}

/// Where the ranks are no power of two, the sum counts rounds in which not all of them wait.
Relation full_rounds(const PLogP&, const CallShape& call) {
    return power_of_two(call.n) ? Relation::exact : Relation::upper_bound;
}

/// Ranks that have few to hear of send later messages early; these keep ports from messages that
/// are needed sooner, unless a latency hides it.
Relation scan_rounds(const PLogP& network, const CallShape& call, bool full) {
    if (call.n > 2 && network.L_s.value < 2 * network.g_s(call.size_bytes))
        return Relation::approximation;
    return full ? Relation::exact : Relation::upper_bound;
}

Relation full_scan_rounds(const PLogP& network, const CallShape& call) {
    return scan_rounds(network, call, power_of_two(call.n));
}

/// Distances of 1, 3, 6, 12, ... ranks up to the last one.
Relation full_exscan_rounds(const PLogP& network, const CallShape& call) {
    const int below = call.n - 1;
    return scan_rounds(network, call, below < 2 || (below % 3 == 0 && power_of_two(below / 3)));
}

/// Whether a vector is cut into blocks of one size, one per rank.
bool equal_blocks(const CallShape& call) {
    return std::fmod(call.size_bytes, call.n) == 0;
}

/// Blocks that differ by a byte change the order of messages, by which one may gain or lose.
Relation halving_of_blocks(const PLogP&, const CallShape& call) {
    return power_of_two(call.n) && equal_blocks(call) ? Relation::exact : Relation::approximation;
}

/// Whether each round sends what the round before has changed: no rank is ever left with three
/// block sums.
bool rounds_build_on_each_other(int n) {
    while (n > 4)
        n = (n + 1) / 2;
    return n != 3;
}

/// What does not wait leaves early, or, if ranks combine, before what is needed sooner.
Relation circulant_rounds_of(const PLogP&, const CallShape& call) {
    if (rounds_build_on_each_other(call.n))
        return Relation::exact;
    return call.combine_s_per_byte > 0 ? Relation::approximation : Relation::upper_bound;
}

Relation circulant_rounds_of_blocks(const PLogP& network, const CallShape& call) {
    return equal_blocks(call) ? circulant_rounds_of(network, call) : Relation::approximation;
}

/// Otherwise the bottleneck moves within a message, and a longer way through it may exist.
Relation one_bottleneck(const PLogP& network, const CallShape& call) {
    return costs_of(network, call).have_one_bottleneck() ? Relation::exact : Relation::lower_bound;
}

/// The form counts the largest block for all. The first segments of a block that is complete
/// overtake the last ones of the block before, if these still have to be combined.
Relation ring_of_equal_segments(const PLogP& network, const CallShape& call) {
    const double block_bytes = std::ceil(call.size_bytes / call.n);
    const auto segments = SegmentSizes::of(block_bytes, call.segment_bytes);
    const SegmentCosts costs(network, call.combine_s_per_byte, segments);
    const bool equal = equal_blocks(call) && segments.larger == segments.count;
    const bool in_order = call.n == 2 || costs.later_combinations_s() <=
                                             std::max(costs.later_gaps_s(), costs.hop_s());
    if (!in_order)
        return Relation::approximation;
    if (equal)
        return Relation::exact;
    return gaps_grow(network) ? Relation::upper_bound : Relation::approximation;
}

/// The last segment has left the rank next to the root before the first one is back.
Relation apart_on_chain(const PLogP& network, const CallShape& call) {
    const auto segments = SegmentSizes::of(call.size_bytes, call.segment_bytes);
    const auto costs = costs_of(network, call);
    const bool equal = segments.larger == segments.count;
    const bool apart =
        call.n == 2 || std::max(costs.later_gaps_s(), costs.later_combinations_s()) <=
                           costs.combining_hop_s() + network.L_s.value;
    return equal && apart ? Relation::exact : Relation::lower_bound;
}

/// Without costs of combining, or with two or three ranks, none is left after a round.
Relation combined_within_rounds(const PLogP&, const CallShape& call) {
    return call.combine_s_per_byte == 0 || call.n <= 3 ? Relation::exact : Relation::upper_bound;
}

constexpr std::string_view table_1 = "BM04 table 1", table_2 = "BM04 table 2",
                           mirror = "BM04 table 2, mirrored", our_schedule = "closed form",
                           of_thakur = "closed form (TRG05)",
                           of_traeff = "closed form (Traeff 2024)",
                           of_hensgen = "closed form (Hensgen et al. 1988)",
                           of_hillis = "closed form (Hillis and Steele 1986)";
constexpr auto exact = always<Relation::exact>;

constexpr std::array forms{
    ClosedForm{"bcast.flat", table_1, bcast::flat_s, exact},
    // A lower bound where asking everyone takes longer than the first answer, (P-3) g(1) > 2 L.
    ClosedForm{"bcast.flat_rendezvous", table_1, bcast::flat_rendezvous_s, flat_rendezvous},
    ClosedForm{"bcast.flat_rendezvous", our_schedule, bcast::flat_rendezvous_exact_s, with_answers},
    ClosedForm{"bcast.flat_segmented", table_1, bcast::flat_segmented_s, exact},
    ClosedForm{"bcast.chain", table_1, bcast::chain_s, exact},
    ClosedForm{"bcast.chain_rendezvous", table_1, bcast::chain_rendezvous_s, exact},
    ClosedForm{"bcast.chain_segmented", table_1, bcast::chain_segmented_s, exact},
    ClosedForm{"bcast.binary", our_schedule, bcast::binary_exact_s, exact},
    // No place has more than floor(log2 P) late hops before it.
    ClosedForm{"bcast.binomial", table_1, bcast::binomial_s, binomial},
    ClosedForm{"bcast.binomial", our_schedule, bcast::binomial_exact_s, exact},
    ClosedForm{"bcast.binomial_rendezvous", table_1, bcast::binomial_rendezvous_s,
               binomial_rendezvous},
    ClosedForm{"bcast.binomial_rendezvous", our_schedule, bcast::binomial_rendezvous_exact_s,
               with_answers},
    // Neither counts the pipelining between rounds.
    ClosedForm{"bcast.binomial_segmented", table_1, bcast::binomial_segmented_s,
               binomial_segmented},
    ClosedForm{"bcast.binomial_segmented", our_schedule, bcast::binomial_segmented_bound_s,
               binomial_segmented_bound},
    // Segments overtake each other.
    ClosedForm{"bcast.circulant", our_schedule, bcast::circulant_s, circulant},
    ClosedForm{"scatter.flat", table_2, scatter::flat_s, exact},
    ClosedForm{"scatter.chain", table_2, scatter::chain_s, exact},
    ClosedForm{"scatter.binomial", table_2, scatter::binomial_s, full_subtrees},
    ClosedForm{"scatter.binomial", our_schedule, scatter::binomial_exact_s, exact},
    ClosedForm{"gather.flat", mirror, gather::flat_s, exact},
    ClosedForm{"gather.chain", mirror, gather::chain_s, exact},
    ClosedForm{"gather.binomial", mirror, gather::binomial_s, full_subtrees},
    ClosedForm{"gather.windowed", our_schedule, gather::windowed_s, exact},
    ClosedForm{"alltoall.direct", our_schedule, alltoall::direct_s, exact},
    ClosedForm{"alltoall.rotated", our_schedule, alltoall::rotated_s, exact},
    ClosedForm{"alltoall.pairwise", our_schedule, alltoall::pairwise_s, exact},
    ClosedForm{"alltoall.bruck", our_schedule, alltoall::bruck_s, exact},
    ClosedForm{"allgather.ring", our_schedule, bcast::chain_s, exact},
    ClosedForm{"reduce.flat", our_schedule, reduce::flat_s, exact},
    ClosedForm{"reduce.binomial", of_thakur, reduce::binomial_s, full_rounds},
    ClosedForm{"reduce.binomial", our_schedule, reduce::binomial_exact_s, exact},
    ClosedForm{"reduce.chain_segmented", our_schedule, reduce::chain_segmented_s, one_bottleneck},
    // Segments of two children meet at their parent in an order that depends on g and gamma.
    ClosedForm{"reduce.binary_segmented", our_schedule, reduce::binary_segmented_s,
               one_segment_only},
    ClosedForm{"reduce.circulant", our_schedule, reduce::circulant_s, circulant},
    ClosedForm{"reduce.rabenseifner", of_thakur, reduce::rabenseifner_s, halving_of_blocks},
    ClosedForm{"allreduce.flat", our_schedule, allreduce::flat_s, exact},
    ClosedForm{"allreduce.recursive_doubling", of_thakur, allreduce::recursive_doubling_s,
               full_rounds},
    ClosedForm{"allreduce.rabenseifner", of_thakur, allreduce::rabenseifner_s, halving_of_blocks},
    ClosedForm{"allreduce.circulant", of_traeff, allreduce::circulant_s,
               circulant_rounds_of_blocks},
    ClosedForm{"allreduce.ring", our_schedule, allreduce::ring_s, ring_of_equal_segments},
    ClosedForm{"allreduce.chain_segmented", our_schedule, allreduce::chain_segmented_s,
               apart_on_chain},
    ClosedForm{"reduce_scatter_block.recursive_halving", of_thakur, reduce_scatter::halving_s,
               full_rounds},
    ClosedForm{"reduce_scatter_block.circulant", of_traeff, reduce_scatter::circulant_s,
               circulant_rounds_of},
    ClosedForm{"reduce_scatter_block.pairwise", of_thakur, reduce_scatter::pairwise_bound_s,
               combined_within_rounds},
    ClosedForm{"reduce_scatter_block.pairwise", our_schedule, reduce_scatter::pairwise_s, exact},
    ClosedForm{"reduce_scatter_block.ring", our_schedule, reduce_scatter::ring_s, one_bottleneck},
    ClosedForm{"scan.recursive_doubling", of_hillis, scan::recursive_doubling_s, full_scan_rounds},
    ClosedForm{"scan.chain_segmented", our_schedule, reduce::chain_segmented_s, one_bottleneck},
    ClosedForm{"exscan.recursive_doubling", our_schedule, exscan::recursive_doubling_s,
               full_exscan_rounds},
    ClosedForm{"exscan.chain_segmented", our_schedule, exscan::chain_segmented_s, one_bottleneck},
    ClosedForm{"barrier.flat", our_schedule, barrier::flat_s, exact},
    ClosedForm{"barrier.binomial", our_schedule, barrier::binomial_s, exact},
    ClosedForm{"barrier.dissemination", of_hensgen, barrier::dissemination_s, exact},
    ClosedForm{"barrier.recursive_doubling", our_schedule, barrier::recursive_doubling_s,
               full_rounds},
};

} // namespace

std::string_view name_of(Relation relation) {
    switch (relation) {
    case Relation::exact:
        return "exact";
    case Relation::upper_bound:
        return "upper bound";
    case Relation::lower_bound:
        return "lower bound";
    case Relation::approximation:
        break;
    }
    return "approximation";
}

std::span<const ClosedForm> closed_forms() {
    return forms;
}

const ClosedForm* exact_form(std::string_view algorithm, const PLogP& network,
                             const CallShape& call) {
    for (const auto& form : forms)
        if (form.algorithm == algorithm && form.relation(network, call) == Relation::exact)
            return &form;
    return nullptr;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The table of closed forms.
#include "predict/closed_forms.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "network/rounds.hpp"
#include "predict/forms/allgather_forms.hpp"
#include "predict/forms/alltoall_forms.hpp"
#include "predict/forms/bcast_forms.hpp"
#include "predict/forms/gather_forms.hpp"
#include "predict/forms/scatter_forms.hpp"

namespace alltold {
namespace {

template <double (*form)(const PLogP&, int, double)>
double plain(const PLogP& network, const CallShape& call) {
    return form(network, call.n, call.size_bytes);
}

template <double (*form)(const PLogP&, int, double, double)>
double segmented(const PLogP& network, const CallShape& call) {
    return form(network, call.n, call.size_bytes, call.segment_bytes);
}

double windowed(const PLogP& network, const CallShape& call) {
    return gather::windowed_s(network, call.n, call.size_bytes, call.window);
}

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

/// BM04's bounds count the processors, the schedule the gaps; this one knows no contention at one
/// rank.
Relation upper_of_direct(const PLogP& network, const CallShape& call) {
    const double gap_s = network.g_s(call.size_bytes), o_r = network.o_r(call.size_bytes);
    return (call.n - 2) * gap_s <= (call.n - 1) * o_r ? Relation::upper_bound
                                                      : Relation::approximation;
}

Relation lower_of_exchange(const PLogP& network, const CallShape& call) {
    const double m = call.size_bytes;
    return network.o_s(m) + network.o_r(m) <= network.g_s(m) ? Relation::lower_bound
                                                             : Relation::approximation;
}

constexpr std::string_view table_1 = "BM04 table 1", table_2 = "BM04 table 2",
                           mirror = "BM04 table 2, mirrored", our_schedule = "closed form";
constexpr auto exact = always<Relation::exact>;

constexpr std::array forms{
    ClosedForm{"bcast.flat", table_1, plain<bcast::flat_s>, exact},
    // A lower bound where asking everyone takes longer than the first answer, (P-3) g(1) > 2 L.
    ClosedForm{"bcast.flat_rendezvous", table_1, plain<bcast::flat_rendezvous_s>, flat_rendezvous},
    ClosedForm{"bcast.flat_rendezvous", our_schedule, plain<bcast::flat_rendezvous_exact_s>,
               with_answers},
    ClosedForm{"bcast.flat_segmented", table_1, segmented<bcast::flat_segmented_s>, exact},
    ClosedForm{"bcast.chain", table_1, plain<bcast::chain_s>, exact},
    ClosedForm{"bcast.chain_rendezvous", table_1, plain<bcast::chain_rendezvous_s>, exact},
    ClosedForm{"bcast.chain_segmented", table_1, segmented<bcast::chain_segmented_s>, exact},
    ClosedForm{"bcast.binary", table_1, plain<bcast::binary_bound_s>,
               always<Relation::upper_bound>},
    ClosedForm{"bcast.binary", our_schedule, plain<bcast::binary_exact_s>, exact},
    // No place has more than floor(log2 P) late hops before it.
    ClosedForm{"bcast.binomial", table_1, plain<bcast::binomial_s>, binomial},
    ClosedForm{"bcast.binomial", our_schedule, plain<bcast::binomial_exact_s>, exact},
    ClosedForm{"bcast.binomial_rendezvous", table_1, plain<bcast::binomial_rendezvous_s>,
               binomial_rendezvous},
    ClosedForm{"bcast.binomial_rendezvous", our_schedule, plain<bcast::binomial_rendezvous_exact_s>,
               with_answers},
    // Neither counts the pipelining between rounds.
    ClosedForm{"bcast.binomial_segmented", table_1, segmented<bcast::binomial_segmented_s>,
               binomial_segmented},
    ClosedForm{"bcast.binomial_segmented", our_schedule,
               segmented<bcast::binomial_segmented_bound_s>, binomial_segmented_bound},
    // Segments overtake each other.
    ClosedForm{"bcast.circulant", our_schedule, segmented<bcast::circulant_s>, circulant},
    // Counts latency once.
    ClosedForm{"bcast.circulant", "Traeff 2022", segmented<bcast::circulant_bound_s>,
               always<Relation::lower_bound>},
    ClosedForm{"scatter.flat", table_2, plain<scatter::flat_s>, exact},
    ClosedForm{"scatter.chain", table_2, plain<scatter::chain_s>, exact},
    ClosedForm{"scatter.binomial", table_2, plain<scatter::binomial_s>, full_subtrees},
    ClosedForm{"scatter.binomial", our_schedule, plain<scatter::binomial_exact_s>, exact},
    ClosedForm{"gather.flat", mirror, plain<gather::flat_s>, exact},
    ClosedForm{"gather.chain", mirror, plain<gather::chain_s>, exact},
    ClosedForm{"gather.binomial", mirror, plain<gather::binomial_s>, full_subtrees},
    ClosedForm{"gather.windowed", our_schedule, windowed, exact},
    ClosedForm{"alltoall.direct", our_schedule, plain<alltoall::direct_s>, exact},
    ClosedForm{"alltoall.direct", "BM04 table 3, upper", plain<alltoall::upper_s>, upper_of_direct},
    ClosedForm{"alltoall.direct", "BM04 table 3, lower", plain<alltoall::lower_s>,
               lower_of_exchange},
    ClosedForm{"alltoall.rotated", our_schedule, plain<alltoall::rotated_s>, exact},
    // Adds the processor's receiving to the gap.
    ClosedForm{"alltoall.rotated", "BM04 table 3, upper", plain<alltoall::upper_s>,
               always<Relation::upper_bound>},
    ClosedForm{"alltoall.rotated", "BM04 table 3, lower", plain<alltoall::lower_s>,
               lower_of_exchange},
    ClosedForm{"alltoall.pairwise", our_schedule, plain<alltoall::pairwise_s>, exact},
    ClosedForm{"alltoall.bruck", our_schedule, plain<alltoall::bruck_s>, exact},
    // Of reductions there are none: pLogP does not know what combining costs.
    ClosedForm{"allgather.ring", our_schedule, plain<allgather::ring_s>, exact},
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

// SPDX-License-Identifier: BSD-3-Clause
// Formula = simulator for every algorithm with a closed form, n in 2..64; where a formula is only a
// bound, the inequality.
#include "predict/forms/closed_forms.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "network/plogp/plogp_ends.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "simulate/simulate.hpp"

namespace alltold {
namespace {

struct ModelledNetwork {
    const char* name;
    PLogP plogp;
    double combine_s_per_byte; ///< tried beside 0
};

/// A lab's: 100 us, 50 Mbit; a fast one whose gap jumps at a change of protocol; one whose latency
/// is nothing beside its gaps; Hockney's. Combining is quicker than the port, quicker or slower by
/// the size, slower, and as quick but for the start-up.
std::vector<ModelledNetwork> networks() {
    return {{"lab",
             {Estimate::exact(1e-4), SizeCurve::line(2e-5, 1.6e-7), SizeCurve({{0, 1e-5}}),
              SizeCurve({{0, 9e-6}})},
             2e-9},
            {"two protocols",
             {Estimate::exact(3e-6),
              SizeCurve({{1, 1e-6}, {1024, 4e-6}, {1025, 9e-6}, {65536, 7e-5}, {1 << 20, 1e-3}}),
              SizeCurve({{1, 5e-7}, {1 << 20, 1e-4}}), SizeCurve({{1, 5e-7}, {1 << 20, 5e-4}})},
             5e-9},
            {"short wires",
             {Estimate::exact(1e-7), SizeCurve::line(3e-5, 1e-8), {}, SizeCurve::line(3e-5, 1e-8)},
             5e-8},
            {"hockney", plogp_of({6e-5, 8e-9}), 8e-9}};
}

/// Numbers of ranks: all, but fewer where every rank sends to most others, many times.
std::vector<int> rank_counts(const Algorithm& algorithm) {
    if (algorithm.collective != Collective::allreduce &&
        algorithm.collective != Collective::reduce_scatter_block) {
        std::vector<int> all(63);
        std::iota(all.begin(), all.end(), 2);
        return all;
    }
    return {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 20, 23, 24, 31, 32, 33, 48, 64};
}

/// Sizes, segments, windows, roots and costs of combining to try an algorithm with.
std::vector<CallShape> shapes(const Algorithm& algorithm, int n, double combine_s_per_byte) {
    std::vector<CallShape> calls;
    std::vector sizes{1.0, 37.0, 4096.0, 100001.0};
    const bool reduces = traits_of(algorithm.collective).reduces;
    if (reduces) {
        sizes.push_back(1000.0 * n); // in equal blocks
        sizes.push_back(2049);       // in two segments on either side of a change of protocol
    }
    const double blocks = algorithm.collective == Collective::allreduce ? n : 1;
    for (const double m : sizes) {
        if (algorithm.segment == Algorithm::Use::must)
            for (const double divisor : {1.0, 2.0, 3.0, 16.0, 17.0})
                calls.push_back({n, m, std::ceil(m / divisor), 0, n / 3});
        else if (algorithm.segment == Algorithm::Use::may && reduces)
            for (const double divisor : {1.0, 3.0, 10.0})
                calls.push_back({n, m, std::ceil(m / blocks / divisor), 0, n / 3});
        else if (algorithm.window == Algorithm::Use::may)
            for (const int window : {0, 1, 2, 3, n / 2, n + 5})
                calls.push_back({n, m, 0, window, n / 3});
        else
            calls.push_back({n, m, 0, 0, n / 3});
    }
    if (algorithm.name == "alltoall.bruck")
        for (auto& call : std::vector(calls)) {
            call.copy_s_per_byte = combine_s_per_byte;
            calls.push_back(call);
        }
    if (!reduces)
        return calls;
    const auto at_one_root = calls;
    for (auto call : at_one_root) {
        call.combine_s_per_byte = combine_s_per_byte;
        calls.push_back(call);
        for (const int root : {0, n / 2, n - 1})
            if (algorithm.rooted()) {
                call.root = root;
                calls.push_back(call);
            }
    }
    return calls;
}

double played_s(const Algorithm& algorithm, const PLogP& network, const CallShape& call) {
    const auto size_bytes = static_cast<std::uint64_t>(call.size_bytes);
    const auto specification =
        Specification::of(algorithm.collective, call.n, call.root, size_bytes);
    const Parameters parameters{static_cast<std::uint64_t>(call.segment_bytes), call.window, {}};
    const auto graph = simulate::EventGraph::of(algorithm, specification, parameters);
    if (!graph)
        ADD_FAILURE() << graph.error().message;
    const auto times = simulate::run(
        *graph, network,
        {.copy = {0, call.copy_s_per_byte}, .combine_s_per_byte = call.combine_s_per_byte});
    if (!times)
        ADD_FAILURE() << times.error().message;
    return times->time_s;
}

/// Whether `formula_s` is to `time_s` what `relation` says, to 12 digits.
bool holds(Relation relation, double formula_s, double time_s) {
    const double slack_s = 1e-12 * time_s;
    switch (relation) {
    case Relation::exact:
        return std::abs(formula_s - time_s) <= slack_s;
    case Relation::upper_bound:
        return formula_s >= time_s - slack_s;
    case Relation::lower_bound:
        return formula_s <= time_s + slack_s;
    case Relation::approximation:
        break;
    }
    return true;
}

struct Tally {
    int exact = 0, bounds = 0, approximations = 0, wrong = 0;
};

class FormulaIsSimulator : public testing::TestWithParam<std::string_view> {};

TEST_P(FormulaIsSimulator, for_n_of_2_to_64) {
    const auto* algorithm = *find_algorithm(GetParam());
    for (const auto& [name, network, combine_s_per_byte] : networks()) {
        std::map<const ClosedForm*, Tally> tallies;
        for (const int n : rank_counts(*algorithm))
            for (const auto& call : shapes(*algorithm, n, combine_s_per_byte)) {
                const double time_s = played_s(*algorithm, network, call);
                for (const auto& form : closed_forms()) {
                    if (form.algorithm != algorithm->name)
                        continue;
                    const auto relation = form.relation(network, call);
                    const double formula_s = form.time_s(network, call);
                    auto& tally = tallies[&form];
                    ++(relation == Relation::exact           ? tally.exact
                       : relation == Relation::approximation ? tally.approximations
                                                             : tally.bounds);
                    if (!holds(relation, formula_s, time_s) && ++tally.wrong <= 3)
                        ADD_FAILURE()
                            << form.algorithm << " (" << form.source << ") on " << name << ", n "
                            << n << ", m " << call.size_bytes << ", s " << call.segment_bytes
                            << ", w " << call.window << ", root " << call.root << ", gamma "
                            << call.combine_s_per_byte << ": " << formula_s << " is no "
                            << name_of(relation) << " of " << time_s;
                }
            }
        for (const auto& [form, tally] : tallies)
            EXPECT_EQ(tally.wrong, 0) << form->algorithm << " (" << form->source << ")";
    }
}

std::vector<std::string_view> algorithms_with_forms() {
    std::set<std::string_view> names;
    for (const auto& form : closed_forms())
        names.insert(form.algorithm);
    return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(ClosedForms, FormulaIsSimulator,
                         testing::ValuesIn(algorithms_with_forms()), [](const auto& row) {
                             auto name = std::string(row.param);
                             name[name.find('.')] = '_';
                             return name;
                         });

/// A network, and a call of up to 40 ranks on it, of any cost of combining.
std::pair<PLogP, CallShape> any_call(const Algorithm& algorithm, Random& random) {
    const auto between = [&](double low, double high) {
        return low * std::pow(high / low, random.uniform());
    };
    const auto below = [&](int end) { return static_cast<int>(random.uniform() * end); };
    const double start_up_s = between(1e-7, 1e-3), s_per_byte = between(1e-10, 1e-6);
    const double latency_s = below(5) == 0 ? 0 : between(1e-7, 1e-2);
    const PLogP network{Estimate::exact(latency_s),
                        below(2) == 0 ? SizeCurve::line(start_up_s, s_per_byte)
                                      : SizeCurve({{1, start_up_s},
                                                   {300, start_up_s + 200 * s_per_byte},
                                                   {301, 2 * start_up_s + 300 * s_per_byte},
                                                   {65536, 2 * start_up_s + 65536 * s_per_byte}}),
                        {},
                        {}};
    CallShape call{2 + below(39), std::ceil(between(1, 2e5))};
    const double blocks = algorithm.collective == Collective::allreduce ? call.n : 1;
    if (traits_of(algorithm.collective).reduces && below(2) == 0)
        call.size_bytes = call.n * std::ceil(call.size_bytes / call.n);
    if (algorithm.segment != Algorithm::Use::no) {
        call.segment_bytes = std::ceil(call.size_bytes / blocks / (1 + below(20)));
        if (below(2) == 0)
            call.size_bytes = blocks * call.segment_bytes * (1 + below(10));
    }
    if (algorithm.rooted())
        call.root = below(call.n);
    if (traits_of(algorithm.collective).reduces && below(3) > 0)
        call.combine_s_per_byte = below(4) == 0 ? s_per_byte : between(1e-11, 1e-6);
    return {network, call};
}

TEST(ClosedForms, of_reductions_and_barriers_hold_on_any_network) {
    Random random(18);
    for (const auto name : algorithms_with_forms()) {
        const auto& algorithm = **find_algorithm(name);
        if (!traits_of(algorithm.collective).reduces && algorithm.collective != Collective::barrier)
            continue;
        for (int i = 0; i < 200; ++i) {
            const auto [network, call] = any_call(algorithm, random);
            const double time_s = played_s(algorithm, network, call);
            for (const auto& form : closed_forms())
                if (form.algorithm == name) {
                    const auto relation = form.relation(network, call);
                    const double formula_s = form.time_s(network, call);
                    EXPECT_TRUE(holds(relation, formula_s, time_s))
                        << form.algorithm << " (" << form.source << "), n " << call.n << ", m "
                        << call.size_bytes << ", s " << call.segment_bytes << ", root " << call.root
                        << ", gamma " << call.combine_s_per_byte << ", L " << network.L_s.value
                        << ", g(m) " << network.g_s(call.size_bytes) << ": " << formula_s
                        << " is no " << name_of(relation) << " of " << time_s;
                }
        }
    }
}

TEST(ClosedForms, scans_are_exact_where_a_latency_hides_two_gaps) {
    const PLogP near{Estimate::exact(2e-5), SizeCurve({{0, 1e-5}}), {}, {}},
        nearer{Estimate::exact(1.9e-5), SizeCurve({{0, 1e-5}}), {}, {}};
    for (const int n : {2, 4, 8, 64, 256})
        for (const double combine_s_per_byte : {0., 1e-8, 1e-7, 1e-5}) {
            const CallShape scan{n, 100, 0, 0, 0, combine_s_per_byte};
            const auto* form = exact_form("scan.recursive_doubling", near, scan);
            ASSERT_TRUE(form) << n;
            EXPECT_NEAR(form->time_s(near, scan),
                        played_s(**find_algorithm("scan.recursive_doubling"), near, scan), 1e-15);
            EXPECT_EQ(exact_form("scan.recursive_doubling", nearer, scan) != nullptr, n == 2);
            auto exscan = scan;
            exscan.n = 3 * n / 2 + 1; // 4, 7, 13, 97, 385
            ASSERT_TRUE(form = exact_form("exscan.recursive_doubling", near, exscan)) << n;
            EXPECT_NEAR(form->time_s(near, exscan),
                        played_s(**find_algorithm("exscan.recursive_doubling"), near, exscan),
                        1e-15);
        }
}

TEST(ClosedForms, are_exact_for_every_algorithm_that_has_one_but_some) {
    // Segments of a binomial or binary tree overlap from round to round, subtrees of a gather meet
    // at the root in an order that depends on g, segments of the circulant graph overtake each
    // other, those of a chain meet the ones that come back, and rounds of doubling, halving or
    // circulant blocks are not full or not equal.
    const std::set<std::string_view> bounded{"allreduce.chain_segmented",
                                             "allreduce.circulant",
                                             "allreduce.rabenseifner",
                                             "allreduce.recursive_doubling",
                                             "allreduce.ring",
                                             "barrier.recursive_doubling",
                                             "bcast.binomial_segmented",
                                             "bcast.circulant",
                                             "exscan.recursive_doubling",
                                             "gather.binomial",
                                             "reduce.binary_segmented",
                                             "reduce.circulant",
                                             "reduce.rabenseifner",
                                             "reduce_scatter_block.recursive_halving",
                                             "scan.recursive_doubling"};
    const PLogP network{Estimate::exact(1e-4), SizeCurve::line(2e-5, 1.6e-7), {}, {}};
    for (const auto name : algorithms_with_forms()) {
        const auto algorithm = find_algorithm(name);
        ASSERT_TRUE(algorithm) << name;
        EXPECT_EQ((*algorithm)->clusters, Algorithm::Use::no) << name << " has two networks";
        const auto* form = exact_form(name, network, {13, 1000, 100, 3});
        EXPECT_EQ(form == nullptr, bounded.count(name) == 1) << name;
    }
    for (const auto name : bounded) {
        const int n = name == "exscan.recursive_doubling" ? 13 : 16;
        EXPECT_TRUE(exact_form(name, network, {n, 160, 160, 0})) << name;
    }
}

TEST(ClosedForms, say_which_bound_they_are) {
    const PLogP network{Estimate::exact(1e-4), SizeCurve::line(2e-5, 1.6e-7), {}, {}};
    const auto relation = [&](std::string_view algorithm, CallShape call) {
        for (const auto& form : closed_forms())
            if (form.algorithm == algorithm && form.source.substr(0, 4) == "BM04")
                return form.relation(network, call);
        return Relation::approximation;
    };
    EXPECT_EQ(relation("bcast.binomial", {8, 1000}), Relation::exact);
    EXPECT_EQ(relation("bcast.binomial", {9, 100}), Relation::upper_bound) << "g < L";
    EXPECT_EQ(relation("bcast.binomial", {9, 1000}), Relation::lower_bound) << "g > L";
    EXPECT_EQ(relation("scatter.binomial", {9, 1000}), Relation::upper_bound);
    // g(1) = 20.16 us: (P-3) g(1) <= 2 L up to P = 12.
    EXPECT_EQ(relation("bcast.flat_rendezvous", {12, 1000}), Relation::exact);
    EXPECT_EQ(relation("bcast.flat_rendezvous", {13, 1000}), Relation::lower_bound);
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Formula = simulator for every algorithm with a closed form, n in 2..64; where a formula is only a
// bound, the inequality.
#include "predict/closed_forms.hpp"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "network/hockney/hockney_as_plogp.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "simulate/simulate.hpp"

namespace alltold {
namespace {

struct Network {
    const char* name;
    PLogP plogp;
};

/// A lab's: 100 us, 50 Mbit; a fast one whose gap jumps at a change of protocol; one whose latency
/// is nothing beside its gaps; Hockney's.
std::vector<Network> networks() {
    return {{"lab",
             {Estimate::exact(1e-4), SizeCurve::line(2e-5, 1.6e-7), SizeCurve({{0, 1e-5}}),
              SizeCurve({{0, 9e-6}})}},
            {"two protocols",
             {Estimate::exact(3e-6),
              SizeCurve({{1, 1e-6}, {1024, 4e-6}, {1025, 9e-6}, {65536, 7e-5}, {1 << 20, 1e-3}}),
              SizeCurve({{1, 5e-7}, {1 << 20, 1e-4}}), SizeCurve({{1, 5e-7}, {1 << 20, 5e-4}})}},
            {"short wires",
             {Estimate::exact(1e-7), SizeCurve::line(3e-5, 1e-8), {}, SizeCurve::line(3e-5, 1e-8)}},
            {"hockney", plogp_of({6e-5, 8e-9})}};
}

/// Sizes, segments and windows to try an algorithm with.
std::vector<CallShape> shapes(const Algorithm& algorithm, int n) {
    std::vector<CallShape> calls;
    for (const double m : {1.0, 37.0, 4096.0, 100001.0}) {
        if (algorithm.segment == Algorithm::Use::must)
            for (const double divisor : {1.0, 2.0, 3.0, 16.0, 17.0})
                calls.push_back({n, m, std::ceil(m / divisor), 0});
        else if (algorithm.window == Algorithm::Use::may)
            for (const int window : {0, 1, 2, 3, n / 2, n + 5})
                calls.push_back({n, m, 0, window});
        else
            calls.push_back({n, m, 0, 0});
    }
    return calls;
}

double played_s(const Algorithm& algorithm, const PLogP& network, const CallShape& call) {
    const auto size_bytes = static_cast<std::uint64_t>(call.size_bytes);
    const auto specification =
        Specification::of(algorithm.collective, call.n, call.n / 3, size_bytes);
    const Parameters parameters{static_cast<std::uint64_t>(call.segment_bytes), call.window, {}};
    const auto graph = simulate::EventGraph::of(algorithm, specification, parameters);
    if (!graph)
        ADD_FAILURE() << graph.error().message;
    const auto times = simulate::run(*graph, network);
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
    for (const auto& [name, network] : networks()) {
        std::map<const ClosedForm*, Tally> tallies;
        for (int n = 2; n <= 64; ++n)
            for (const auto& call : shapes(*algorithm, n)) {
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
                            << ", w " << call.window << ": " << formula_s << " is no "
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

TEST(ClosedForms, are_exact_for_every_algorithm_that_has_one_but_three) {
    // Segments of a binomial tree overlap from round to round, subtrees of a gather meet at the
    // root in an order that depends on g, and segments of the circulant graph overtake
    // each other.
    const std::set<std::string_view> bounded{"bcast.binomial_segmented", "bcast.circulant",
                                             "gather.binomial"};
    const PLogP network{Estimate::exact(1e-4), SizeCurve::line(2e-5, 1.6e-7), {}, {}};
    for (const auto name : algorithms_with_forms()) {
        const auto algorithm = find_algorithm(name);
        ASSERT_TRUE(algorithm) << name;
        EXPECT_EQ((*algorithm)->clusters, Algorithm::Use::no) << name << " has two networks";
        const auto* form = exact_form(name, network, {13, 1000, 100, 3});
        EXPECT_EQ(form == nullptr, bounded.count(name) == 1) << name;
    }
    for (const auto name : bounded)
        EXPECT_TRUE(exact_form(name, network, {16, 1000, 1000, 0})) << name;
}

TEST(ClosedForms, say_which_bound_they_are) {
    const PLogP network{Estimate::exact(1e-4), SizeCurve::line(2e-5, 1.6e-7), {}, {}};
    const auto relation = [&](std::string_view algorithm, CallShape call) {
        for (const auto& form : closed_forms())
            if (form.algorithm == algorithm && form.source.substr(0, 4) == "BM04")
                return form.relation(network, call);
        return Relation::approximation;
    };
    EXPECT_EQ(relation("bcast.binary", {8, 1000}), Relation::upper_bound);
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

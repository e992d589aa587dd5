// SPDX-License-Identifier: BSD-3-Clause
// Rules weigh both starts, or are for one of them.
#include "predict/rules/decision_table.hpp"

#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "measured_calls.hpp"
#include "networks.hpp"
#include "predict/choice/rank.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/parse.hpp"

namespace alltold {
namespace {

using namespace test;

/// slow_network() where the library's all-to-all takes so many times what paced takes from the
/// usual start and, unless that is 0, after a barrier; measured well on 6 and 12 ranks, with
/// segments of so many messages unless that is 0.
Network with_alltoalls(double usual, double after_barrier, std::uint64_t messages = 0) {
    auto network = slow_network();
    SimulationCache simulations;
    const auto* paced = *find_algorithm("alltoall.paced");
    const auto add = [&](const CollectiveProbe& probe, bool of_library, double times) {
        std::vector<RepeatedCall> calls;
        for (std::uint64_t m = 1024; m <= 262144; m *= 2)
            for (const int n : {6, 12}) {
                const auto choice = *resolve({Collective::alltoall, Clusters({n}), m}, &network,
                                             {.choice = Choice{paced}});
                const double time_s =
                    times * evaluate(slow_network(), Collective::alltoall, Clusters({n}), m, choice)
                                ->time_s()
                                .value;
                auto call = repeated(Clusters({n}), m, time_s, of_library ? nullptr : paced);
                if (!of_library) {
                    call.parameters.segment_bytes =
                        messages > 0 ? messages * m : choice.parameters.segment_bytes;
                    call.parameters.window = choice.parameters.window;
                }
                calls.push_back(std::move(call));
            }
        const CorrectedCalls of{probe, of_library, false};
        network.corrections.push_back(*fit_correction(of, medians_of(calls), slow_network(),
                                                      baselines_of(of, network, Clusters({12})),
                                                      simulations));
    };
    for (const bool of_library : {false, true}) {
        add({Collective::alltoall}, of_library, of_library ? usual : 1);
        if (after_barrier > 0)
            add({Collective::alltoall, StartMode::barrier}, of_library,
                of_library ? after_barrier : 1);
    }
    return network;
}

/// From any start, or from one.
Choice alltoall_on_12(const Network& network, std::uint64_t size_bytes = 65536,
                      std::optional<StartMode> start = std::nullopt) {
    const std::vector<std::vector<Rule>> sources{
        decision_table(network, {.clusters = Clusters({12}),
                                 .most_ranks = 24,
                                 .collectives = {Collective::alltoall},
                                 .start_mode = StartMode::silence})};
    RankCounts counts(12, 1);
    if (start)
        counts.starts = {*start};
    return ChoiceTable(sources, Collective::alltoall, counts).at(size_bytes);
}

TEST(DecisionTable, runs_what_was_measured_to_win_with_segments_longer_than_the_message) {
    EXPECT_NE(alltoall_on_12(with_alltoalls(4, 0, 2)).algorithm, nullptr);
}

TEST(DecisionTable, weighs_both_starts) {
    EXPECT_EQ(alltoall_on_12(with_alltoalls(0.99, 0)).algorithm, nullptr) << "hardly quicker";
    EXPECT_NE(alltoall_on_12(with_alltoalls(1.02, 1.9)).algorithm, nullptr)
        << "hardly quicker from one start, much quicker from the other";
    EXPECT_EQ(alltoall_on_12(with_alltoalls(0.8, 1.9)).algorithm, nullptr)
        << "slower from the usual start";
    EXPECT_EQ(alltoall_on_12(with_alltoalls(1.9, 0.8)).algorithm, nullptr)
        << "slower after a barrier";
}

TEST(DecisionTable, one_start_has_what_wins_from_it_alone) {
    constexpr std::uint64_t m = 131072;
    const auto quicker_after_barrier = with_alltoalls(0.8, 1.9);
    EXPECT_NE(alltoall_on_12(quicker_after_barrier, m, StartMode::barrier).algorithm, nullptr);
    EXPECT_EQ(alltoall_on_12(quicker_after_barrier, m, StartMode::silence).algorithm, nullptr);
    EXPECT_EQ(alltoall_on_12(quicker_after_barrier, m, StartMode::back_to_back).algorithm, nullptr);
    const auto quicker_after_silence = with_alltoalls(1.9, 0.8);
    EXPECT_NE(alltoall_on_12(quicker_after_silence, m, StartMode::silence).algorithm, nullptr);
    EXPECT_EQ(alltoall_on_12(quicker_after_silence, m, StartMode::barrier).algorithm, nullptr);
    EXPECT_EQ(alltoall_on_12(with_alltoalls(1.1, 0.8), m, StartMode::silence).algorithm, nullptr)
        << "too little for a rule of its own";
}

TEST(DecisionTable, rules_of_one_start_leave_out_what_others_cover) {
    const auto rules = decision_table(
        with_alltoalls(1.9, 1.9),
        {.clusters = Clusters({12}), .most_ranks = 24, .start_mode = StartMode::silence});
    int ours = 0;
    for (const auto& rule : rules)
        for (const auto& other : rules) {
            auto from_any = rule;
            from_any.start.reset();
            ours += other.choice.algorithm != nullptr;
            EXPECT_FALSE(rule.start && !other.start && other.choice.algorithm &&
                         from_any.overlaps(other))
                << text_of(rule) << " and " << text_of(other);
        }
    EXPECT_GT(ours, 0);
}

TEST(FirstRule, is_that_for_the_spread_then_that_for_the_start) {
    std::vector<std::vector<Rule>> sources(1, std::vector<Rule>(1));
    auto& rules = sources[0];
    RankCounts counts(Clusters({2, 1}));
    counts.starts = {StartMode::silence};
    const auto found = [&] { return first_rule(sources, Collective::bcast, 1, counts); };
    rules.push_back({.start = StartMode::barrier});
    EXPECT_EQ(found(), &rules[0]);
    rules.push_back({.start = StartMode::silence});
    EXPECT_EQ(found(), &rules[2]);
    rules.push_back({.spread = {2, 1}});
    EXPECT_EQ(found(), &rules[3]);
    counts.starts = {};
    rules.pop_back();
    EXPECT_EQ(found(), &rules[0]);
}

} // namespace
} // namespace alltold

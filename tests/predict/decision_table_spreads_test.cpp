// SPDX-License-Identifier: BSD-3-Clause
// Rules for all spreads of the ranks over the clusters, and for one of them.
#include "predict/rules/decision_table.hpp"

#include <initializer_list>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "measured_calls.hpp"
#include "networks.hpp"
#include "predict/choice/rank.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/parse.hpp"

namespace alltold {
namespace {

using namespace test;

/// Rules for bcasts on 2+4 hosts, where the library's own takes so many times what the best of ours
/// does on each of these.
std::vector<std::vector<Rule>>
bcast_rules_of_2_and_4(std::initializer_list<std::pair<Clusters, double>> library,
                       const std::vector<Clusters>& only = {}, int most_ranks = 6) {
    auto network = test::joined_network();
    for (const auto& [clusters, times] : library)
        for (const std::uint64_t m : {1024, 4096, 16384}) {
            const auto ranking = *rank(test::joined_network(), Collective::bcast, clusters, m);
            const double time_s = times * ranking.candidates.front().time_s().value;
            network.library.push_back(
                {Collective::bcast, clusters, m, {time_s, time_s * 0.95, time_s * 1.05}});
        }
    return {decision_table(network, {.clusters = Clusters({2, 4}),
                                     .most_ranks = most_ranks,
                                     .collectives = {Collective::bcast},
                                     .calls = only})};
}

/// What runs by them for 4 KiB to 4 ranks whose spread is not told.
Choice bcast_to_4_of_2_and_4(double on_1_and_3, double on_2_and_2) {
    const auto rules =
        bcast_rules_of_2_and_4({{Clusters({1, 3}), on_1_and_3}, {Clusters({2, 2}), on_2_and_2}});
    return ChoiceTable(rules, Collective::bcast, {4, 2}).at(4096);
}

TEST(DecisionTable, rules_suit_ranks_spread_otherwise_over_the_clusters) {
    EXPECT_NE(bcast_to_4_of_2_and_4(4, 4).algorithm, nullptr);
    EXPECT_EQ(bcast_to_4_of_2_and_4(4, 0.25).algorithm, nullptr) << "a loss on 2+2";
    EXPECT_EQ(bcast_to_4_of_2_and_4(0.25, 4).algorithm, nullptr) << "a loss on 1+3";
}

TEST(DecisionTable, over_several_clusters_is_for_no_more_ranks_than_they_have) {
    std::uint64_t most_of_one = 0, most_of_two = 0;
    const auto rules = bcast_rules_of_2_and_4({{Clusters({2, 4}), 4}}, {}, 12);
    for (const auto& rule : rules.front())
        if (rule.spread.empty())
            (rule.clusters.most == 1 ? most_of_one : most_of_two) = rule.ranks.most;
    EXPECT_EQ(most_of_one, 12U);
    EXPECT_EQ(most_of_two, 6U);
}

TEST(DecisionTable, a_spread_runs_what_wins_elsewhere_if_it_gains_much_there) {
    const auto rules = bcast_rules_of_2_and_4(
        {{Clusters({1, 3}), 4}, {Clusters({2, 2}), 0.25}, {Clusters({2, 4}), 4}});
    const auto runs = [&](const RankCounts& counts) {
        return ChoiceTable(rules, Collective::bcast, counts).at(4096);
    };
    EXPECT_EQ(runs({4, 2}).algorithm, nullptr);
    EXPECT_EQ(runs(Clusters({2, 2})).algorithm, nullptr);
    EXPECT_NE(runs(Clusters({1, 3})).algorithm, nullptr) << text_of(rules.front());
}

TEST(DecisionTable, a_spread_runs_what_wins_on_no_other) {
    const auto rules = bcast_rules_of_2_and_4(
        {{Clusters({1, 3}), 4}, {Clusters({2, 2}), 0.25}, {Clusters({2, 4}), 0.25}});
    for (const auto& rule : rules.front())
        EXPECT_TRUE(!rule.choice.algorithm || !rule.spread.empty()) << text_of(rule);
    EXPECT_NE(ChoiceTable(rules, Collective::bcast, Clusters({1, 3})).at(4096).algorithm, nullptr);
    EXPECT_EQ(ChoiceTable(rules, Collective::bcast, Clusters({2, 2})).at(4096).algorithm, nullptr);
}

TEST(DecisionTable, a_spread_keeps_a_sliver_in_which_the_usual_rule_loses) {
    auto network = test::joined_network();
    network.links->mss_bytes = 1448; // rules change where segments fit the initial window
    constexpr std::uint64_t sliver = 14432;
    std::vector<RepeatedCall> calls;
    for (const auto& clusters : {Clusters({1, 3}), Clusters({3, 1}), Clusters({2, 2})})
        for (const std::uint64_t m : {8192UL, 14000UL, sliver, 14914UL, 32768UL}) {
            const auto ranking = *rank(network, Collective::bcast, clusters, m);
            const double times = clusters == Clusters({1, 3}) && m == sliver ? 0.5 : 4;
            calls.push_back(
                repeated(clusters, m, times * ranking.candidates.front().time_s().value));
        }
    correct(network, {{Collective::bcast}, true, true}, calls);
    const std::vector<std::vector<Rule>> rules{decision_table(
        network,
        {.clusters = Clusters({4, 4}), .most_ranks = 4, .collectives = {Collective::bcast}})};
    const auto runs = [&](const RankCounts& ranks, std::uint64_t size_bytes) {
        return ChoiceTable(rules, Collective::bcast, ranks).at(size_bytes).algorithm;
    };
    for (const std::uint64_t m : {8192UL, 32768UL})
        EXPECT_NE(runs(Clusters({1, 3}), m), nullptr) << text_of(rules.front());
    EXPECT_NE(runs({4, 2}, sliver), nullptr) << "whatever their spread";
    EXPECT_EQ(runs(Clusters({1, 3}), sliver), nullptr) << text_of(rules.front());
}

/// Rules for all-to-alls on 2+4 hosts whose ports hold a message of 4 KiB, but not two. The
/// library's own takes four times what the best of ours does on 1+3, and a quarter of it on 2+2.
std::vector<std::vector<Rule>> alltoall_rules_of_2_and_4(const std::vector<Clusters>& only = {}) {
    auto network = test::joined_network();
    network.links->port.queue_bytes = 5000;
    std::vector<RepeatedCall> calls;
    for (const auto& [clusters, times] :
         {std::pair(Clusters({1, 3}), 4.), std::pair(Clusters({2, 2}), 0.25)})
        for (const std::uint64_t m : {2048, 4096, 8192}) {
            const auto ranking = *rank(network, Collective::alltoall, clusters, m);
            calls.push_back(
                repeated(clusters, m, times * ranking.candidates.front().time_s().value));
        }
    correct(network, {{Collective::alltoall}, true, true}, calls);
    return {decision_table(network, {.clusters = Clusters({2, 4}),
                                     .most_ranks = 6,
                                     .collectives = {Collective::alltoall},
                                     .calls = only})};
}

TEST(DecisionTable, a_spread_whose_alltoalls_gain_more_has_rules_of_its_own) {
    const auto rules = alltoall_rules_of_2_and_4();
    const auto runs = [&](const RankCounts& counts) {
        return ChoiceTable(rules, Collective::alltoall, counts).at(4096);
    };
    EXPECT_EQ(runs({4, 2}).algorithm, nullptr) << text_of(rules.front());
    EXPECT_EQ(runs(Clusters({2, 2})).algorithm, nullptr);
    EXPECT_NE(runs(Clusters({1, 3})).algorithm, nullptr);
    for (const auto& rule : rules.front())
        EXPECT_TRUE(rule.spread.empty() || rule.choice.algorithm) << text_of(rule);
}

TEST(DecisionTable, for_some_calls_has_the_rules_that_these_follow) {
    const Clusters asked({1, 3}), other({2, 2});
    const auto all = alltoall_rules_of_2_and_4(), few = alltoall_rules_of_2_and_4({asked});
    for (std::uint64_t m = 64; m <= 65536; m *= 2)
        EXPECT_EQ(text_of(ChoiceTable(few, Collective::alltoall, asked).at(m)),
                  text_of(ChoiceTable(all, Collective::alltoall, asked).at(m)))
            << m;
    const auto covers = [](const std::vector<std::vector<Rule>>& rules, const RankCounts& counts) {
        return std::ranges::any_of(rules.front(), [&](const Rule& rule) {
            return rule.covers(Collective::alltoall, 4096, counts);
        });
    };
    EXPECT_TRUE(covers(all, {4, 1}));
    EXPECT_FALSE(covers(few, {4, 1})) << "a call on one cluster";
    for (const auto& rule : few.front())
        EXPECT_FALSE(rule.spread == std::vector<int>({2, 2})) << text_of(rule);
}

TEST(DecisionTable, for_some_calls_looks_for_the_same_winners_elsewhere) {
    // On one cluster other algorithms win, which calls on both never try.
    const auto rules = [](const std::vector<Clusters>& only) {
        return bcast_rules_of_2_and_4({{Clusters({1, 3}), 4},
                                       {Clusters({2, 2}), 0.25},
                                       {Clusters({2, 4}), 4},
                                       {Clusters({4}), 4}},
                                      only);
    };
    const auto of_spreads = [](const std::vector<std::vector<Rule>>& made) {
        std::string text;
        for (const auto& rule : made.front())
            if (!rule.spread.empty() && rule.spread == std::vector<int>({1, 3}))
                text += text_of(rule) + "\n";
        return text;
    };
    EXPECT_FALSE(of_spreads(rules({})).empty());
    EXPECT_EQ(of_spreads(rules({})), of_spreads(rules({Clusters({1, 3})})));
}

} // namespace
} // namespace alltold

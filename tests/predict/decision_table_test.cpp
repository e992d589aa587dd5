// SPDX-License-Identifier: BSD-3-Clause
// A decision table loses next to nothing against the ranking it is made from.
#include "predict/rules/decision_table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "networks.hpp"
#include "predict/choice/rank.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/parse.hpp"
#include "topology/spread.hpp"

namespace alltold {
namespace {

using namespace test;

struct Loss {
    double mean = 0;
    double worst = 0;
};

/// Of calls spread evenly over the logarithms of n and m.
Loss loss_of(const Network& network, const std::vector<Rule>& rules, const Clusters& hosts,
             Collective collective, int calls, int most_ranks) {
    Random random(7);
    Loss loss;
    const std::vector<std::vector<Rule>> sources{rules};
    for (int i = 0; i < calls; ++i) {
        const int least = std::max(2, hosts.count());
        const int n =
            static_cast<int>(least * std::pow(double(most_ranks) / least, random.uniform()));
        const auto m = static_cast<std::uint64_t>(std::exp2(22 * random.uniform()));
        const auto clusters = spread(hosts, n);
        const auto ranking = *rank(network, collective, clusters, m);
        auto choice = ChoiceTable(sources, collective, clusters).at(m);
        EXPECT_TRUE(choice.algorithm);
        choice.parameters.segment_bytes = std::min(choice.parameters.segment_bytes, m);
        const auto resolved = resolve({collective, clusters, m}, &network, {.choice = choice});
        EXPECT_TRUE(resolved) << resolved.error().message;
        const auto taken = evaluate(network, collective, clusters, m, *resolved);
        EXPECT_TRUE(taken) << taken.error().message;
        const double more = taken->time_s().value / ranking.candidates.front().time_s().value - 1;
        loss.mean += more / calls;
        loss.worst = std::max(loss.worst, more);
    }
    return loss;
}

TEST(DecisionTable, loses_next_to_nothing_against_the_ranking) {
    for (const auto& network : {slow_network(), far_network(), fast_network()}) {
        const auto rules = decision_table(network, {.clusters = Clusters({12}), .ours_only = true});
        for (const auto collective : studied_collectives) {
            const auto [mean, worst] =
                loss_of(network, rules, Clusters({12}), collective, 100, 1024);
            RecordProperty(std::string(name_of(collective)), std::to_string(mean));
            EXPECT_LE(mean, 0.02) << name_of(collective);
            // Between two n of the grid a tree may lose its last round.
            EXPECT_LE(worst, 0.4) << name_of(collective);
        }
        EXPECT_LE(rules.size(), 120U) << text_of(rules);
    }
}

TEST(DecisionTable, knows_that_cutting_gains_most_just_over_one_packet) {
    auto network = slow_network();
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, {}, 20e-6};
    network.links->mss_bytes = 1448;
    network.links->store_and_forward = 1;
    network.plogp.reset();
    const Clusters two({2});
    const std::vector<std::vector<Rule>> rules{
        decision_table(network, {.clusters = two, .most_ranks = 2, .ours_only = true})};
    constexpr std::uint64_t over_one_packet = 1533;
    const auto quickest = rank(network, Collective::bcast, two, over_one_packet)->candidates[0];
    ASSERT_GT(quickest.choice.parameters.segment_bytes, 0U) << "two packets forwarded in turn";
    EXPECT_EQ(text_of(ChoiceTable(rules, Collective::bcast, two).at(over_one_packet)),
              text_of(quickest.choice));
}

TEST(DecisionTable, of_two_clusters_has_rules_for_one_and_for_both) {
    const auto network = joined_network();
    const Clusters hosts({6, 6});
    const auto rules =
        decision_table(network, {.clusters = hosts, .most_ranks = 24, .ours_only = true});
    for (const auto collective : {Collective::bcast, Collective::alltoall}) {
        const auto loss = loss_of(network, rules, hosts, collective, 30, 24);
        EXPECT_LE(loss.mean, 0.02) << name_of(collective) << "\n" << text_of(rules);
    }
    for (const int clusters : {1, 2})
        EXPECT_TRUE(std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) {
            return rule.covers(Collective::alltoall, 1024, {12, clusters});
        }));
}

TEST(DecisionTable, reads_back_and_covers_every_call_once) {
    const auto rules =
        decision_table(slow_network(), {.clusters = Clusters({12}), .ours_only = true});
    const auto read = parse_rules(text_of(rules), "table");
    ASSERT_TRUE(read) << read.error().message << "\n" << text_of(rules);
    EXPECT_EQ(*read, rules);
    for (const auto collective : studied_collectives)
        for (const int n : {1, 2, 5, 12, 100, 1023, 1024, 5000})
            for (const std::uint64_t m : {0ULL, 1ULL, 1000ULL, 65536ULL, 1ULL << 30})
                EXPECT_EQ(std::count_if(rules.begin(), rules.end(),
                                        [&](const Rule& rule) {
                                            return rule.covers(collective, m, {n, 1});
                                        }),
                          1)
                    << name_of(collective) << " " << n << " " << m;
}

TEST(DecisionTable, of_other_collectives_is_made_when_asked_for) {
    const std::vector others{Collective::allgather, Collective::reduce, Collective::barrier};
    const auto rules = decision_table(
        slow_network(),
        {.clusters = Clusters({12}), .most_ranks = 32, .ours_only = true, .collectives = others});
    for (const auto collective : others)
        for (const int n : {2, 12, 32})
            for (const std::uint64_t m : {0ULL, 1000ULL, 1ULL << 30})
                EXPECT_EQ(
                    std::ranges::count_if(
                        rules,
                        [&](const Rule& rule) {
                            return rule.covers(collective, m, {n, 1}) && rule.choice.algorithm;
                        }),
                    1)
                    << name_of(collective) << " " << n << " " << m;
    for (const auto& rule : rules)
        EXPECT_NE(std::ranges::count(others, rule.collective), 0) << text_of(rule);
}

TEST(RankCounts, tell_hosts_from_ranks) {
    const auto rules = *parse_rules("alltoall:any:hosts>=2:per-host=4 = alltoall.direct", "test");
    const auto covers = [&](const char* clusters) {
        return rules.front().covers(Collective::alltoall, 1024, *Clusters::parse(clusters));
    };
    EXPECT_TRUE(covers("2x4"));
    EXPECT_TRUE(covers("3x4/1x2+2"));
    EXPECT_FALSE(covers("1x4"));
    EXPECT_FALSE(covers("8"));
    EXPECT_FALSE(covers("4x2"));
}

TEST(DecisionTable, of_a_network_without_parameters_is_empty) {
    EXPECT_TRUE(decision_table({}, {.clusters = Clusters({12}), .ours_only = true}).empty());
}

TEST(DecisionTable, keeps_the_library_where_it_is_quickest) {
    auto network = slow_network();
    for (std::uint64_t m = 1; m <= 8192; m *= 2)
        for (const int n : {2, 12, 24})
            network.library.push_back({Collective::gather, Clusters({n}), m, {1e-9, 1e-9, 1e-9}});
    const auto rules =
        decision_table(network, {.clusters = Clusters({12}), .most_ranks = 24, .ours_only = true});
    const std::vector<std::vector<Rule>> sources{rules};
    const ChoiceTable table(sources, Collective::gather, {12, 1});
    EXPECT_EQ(table.at(1024).algorithm, nullptr);
    EXPECT_NE(table.at(65536).algorithm, nullptr);
}

/// What the rules choose for a broadcast among 12 ranks where the library's was measured to take
/// `times` its least time by ours, give or take a share, at all sizes to 64 KiB.
Choice chosen(double times, double share, std::uint64_t size_bytes) {
    auto network = slow_network();
    for (std::uint64_t m = 256; m <= 65536; m *= 4)
        for (const int n : {6, 12}) {
            const auto ranking = *rank(network, Collective::bcast, Clusters({n}), m);
            const double time_s = times * ranking.candidates.front().time_s().value;
            network.library.push_back({Collective::bcast,
                                       Clusters({n}),
                                       m,
                                       {time_s, time_s * (1 - share), time_s * (1 + share)}});
        }
    const auto rules = decision_table(network, {.clusters = Clusters({12}), .most_ranks = 24});
    const std::vector<std::vector<Rule>> sources{rules};
    return ChoiceTable(sources, Collective::bcast, {12, 1}).at(size_bytes);
}

TEST(DecisionTable, states_no_windows_that_each_call_finds) {
    const auto rules = decision_table(joined_network(),
                                      {.clusters = Clusters({6, 6}),
                                       .most_ranks = 12,
                                       .ours_only = true,
                                       .collectives = {Collective::alltoall, Collective::gather}});
    int windowed = 0, searched = 0;
    for (const auto& rule : rules)
        if (const auto* algorithm = rule.choice.algorithm;
            algorithm && algorithm->window != Algorithm::Use::no) {
            ++windowed;
            const auto& parameters = rule.choice.parameters;
            if (searches_windows(rule.choice)) { // which would take a call's time
                ++searched;
                EXPECT_EQ(rule.clusters.least, 2u);
                EXPECT_GT(parameters.segment_bytes, 0u) << text_of(rule.choice);
                EXPECT_GT(parameters.window, 0) << text_of(rule.choice);
                continue;
            }
            EXPECT_EQ(parameters.window, 0) << text_of(rule.choice);
            EXPECT_EQ(parameters.inter_cluster_window, 0) << text_of(rule.choice);
        }
    EXPECT_GT(searched, 0);
    EXPECT_GT(windowed, searched);
}

TEST(DecisionTable, chooses_ours_only_where_the_library_is_known_to_be_slower) {
    EXPECT_NE(chosen(1.5, 0.1, 16384).algorithm, nullptr);
    EXPECT_EQ(chosen(1.5, 0.9, 16384).algorithm, nullptr) << "one time in three it is quicker";
    EXPECT_EQ(chosen(0.9, 0.1, 16384).algorithm, nullptr);
    EXPECT_EQ(chosen(1.5, 0.1, 1 << 20).algorithm, nullptr) << "nothing measured near";
    EXPECT_EQ(chosen(1.5, 0.1, 16).algorithm, nullptr) << "nothing measured near";
}

} // namespace
} // namespace alltold

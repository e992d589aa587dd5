// SPDX-License-Identifier: BSD-3-Clause
// A decision table loses next to nothing against the ranking it is made from.
#include "predict/decision_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "networks.hpp"
#include "predict/choice_table.hpp"
#include "predict/fit_corrections.hpp"
#include "predict/parse.hpp"
#include "predict/rank.hpp"
#include "predict/resolve.hpp"
#include "predict/safe_choice.hpp"
#include "predict/simulation_cache.hpp"
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

/// The rule of ours that takes over from another one of ours between two powers of two.
std::optional<Rule> second_of_ours(const std::vector<Rule>& rules) {
    for (std::size_t i = 1; i < rules.size(); ++i)
        if (rules[i].choice.algorithm && rules[i - 1].choice.algorithm &&
            rules[i].ranks.least == rules[i - 1].ranks.least && rules[i].size_bytes.least >= 4096 &&
            !std::has_single_bit(rules[i].size_bytes.least))
            return rules[i];
    return std::nullopt;
}

TEST(DecisionTable, the_library_runs_between_two_of_ours_where_neither_may) {
    auto network = slow_network();
    network.plogp.reset();
    network.links = LinkNetwork{{6e6, 100e-6, 0}, {}, 20e-6};
    network.links->mss_bytes = 1448;
    const TableRequest request{
        .clusters = Clusters({12}), .most_ranks = 12, .collectives = {Collective::bcast}};
    const auto library_takes = [&](std::uint64_t size_bytes, double time_s) {
        for (const int n : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
            network.library.push_back(
                {Collective::bcast, Clusters({n}), size_bytes, {time_s, time_s, time_s}});
    };
    for (std::uint64_t m = 1; m <= 4194304; m *= 2)
        library_takes(m, 100);
    const auto second = second_of_ours(decision_table(network, request));
    ASSERT_TRUE(second);
    const auto low = std::bit_floor(second->size_bytes.least);
    const Clusters hosts({static_cast<int>(second->ranks.least)});
    for (std::uint64_t eighth = 1; eighth < 8; ++eighth)
        library_takes(low + eighth * low / 8, 1e-9);
    std::ranges::sort(network.library, {}, [](const LibraryTime& time) {
        return std::pair(time.clusters.ranks(), time.size_bytes);
    });
    const std::vector<std::vector<Rule>> rules{decision_table(network, request)};
    const auto runs = [&](std::uint64_t size_bytes) {
        return ChoiceTable(rules, Collective::bcast, hosts).at(size_bytes);
    };
    EXPECT_TRUE(runs(low).algorithm);
    EXPECT_TRUE(runs(2 * low).algorithm);
    EXPECT_EQ(text_of(runs(low + low / 2)), "mpi") << text_of(rules.front());
    EXPECT_EQ(text_of(runs(low + low / 4)), "mpi");
    EXPECT_EQ(text_of(runs(low + 3 * low / 4)), "mpi");
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
                RepeatedCall call;
                call.clusters = Clusters({n});
                call.size_bytes = m;
                call.times_s = {time_s, 1.01 * time_s, 0.99 * time_s};
                if (!of_library) {
                    call.algorithm = paced;
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

/// Rules for bcasts on 2+4 hosts, where the library's own takes so many times what the best of ours
/// does on each of these.
std::vector<std::vector<Rule>>
bcast_rules_of_2_and_4(std::initializer_list<std::pair<Clusters, double>> library,
                       const std::vector<Clusters>& only = {}) {
    auto network = test::joined_network();
    for (const auto& [clusters, times] : library)
        for (const std::uint64_t m : {1024, 4096, 16384}) {
            const auto ranking = *rank(test::joined_network(), Collective::bcast, clusters, m);
            const double time_s = times * ranking.candidates.front().time_s().value;
            network.library.push_back(
                {Collective::bcast, clusters, m, {time_s, time_s * 0.95, time_s * 1.05}});
        }
    return {decision_table(network, {.clusters = Clusters({2, 4}),
                                     .most_ranks = 6,
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

/// The correction that these calls give.
void correct(Network& network, const CorrectedCalls& of, const std::vector<RepeatedCall>& calls) {
    SimulationCache simulations;
    network.corrections.push_back(*fit_correction(of, medians_of(calls), network,
                                                  baselines_of(of, network, calls.front().clusters),
                                                  simulations));
}

RepeatedCall repeated(const Clusters& clusters, std::uint64_t size_bytes, double time_s,
                      const Algorithm* algorithm = nullptr) {
    RepeatedCall call;
    call.algorithm = algorithm;
    call.clusters = clusters;
    call.size_bytes = size_bytes;
    call.times_s = {time_s, 1.01 * time_s, 0.99 * time_s};
    return call;
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

/// What runs for a gather of 32 KiB to 6 ranks, which overflows the root's port. The library's own
/// takes three times what gather.flat does by the model; that takes what the model says, measured
/// at these sizes, and another algorithm far longer.
Choice gather_of_32k(std::initializer_list<std::uint64_t> flat_measured_at) {
    auto network = slow_network();
    network.plogp.reset();
    network.links = LinkNetwork{{6e6, 100e-6, 20000}, {}, 20e-6};
    network.links->mss_bytes = 1448;
    const Clusters hosts({6});
    const auto* flat = *find_algorithm("gather.flat");
    const auto* chain = *find_algorithm("gather.chain");
    const auto modelled_s = [&](const Algorithm* algorithm, std::uint64_t m) {
        return evaluate(network, Collective::gather, hosts, m, {algorithm})->time_s().value;
    };
    std::vector<RepeatedCall> library, ours;
    for (const std::uint64_t m : {16384, 32768, 65536})
        library.push_back(repeated(hosts, m, 3 * modelled_s(flat, m)));
    for (const auto m : flat_measured_at)
        ours.push_back(repeated(hosts, m, modelled_s(flat, m), flat));
    for (const std::uint64_t m : {16384, 65536})
        ours.push_back(repeated(hosts, m, (m > 16384 ? 8 : 1) * modelled_s(chain, m), chain));
    correct(network, {{Collective::gather}, true, false}, library);
    correct(network, {{Collective::gather}, false, false}, ours);
    const std::vector<std::vector<Rule>> rules{decision_table(
        network, {.clusters = hosts, .most_ranks = 6, .collectives = {Collective::gather}})};
    return ChoiceTable(rules, Collective::gather, hosts).at(32768);
}

TEST(DecisionTable, losses_count_as_measured_between_measured_calls_that_won) {
    EXPECT_EQ(text_of(gather_of_32k({16384, 65536})), "gather.flat");
    EXPECT_EQ(text_of(gather_of_32k({16384})), "mpi")
        << "what it costs at larger sizes is not known";
}

/// What runs for a broadcast of 6 KiB to 12 ranks, of which the library's own takes so many times
/// what the best of ours does by the models: on 9 to 12 ranks at powers of two, and at 6 KiB on
/// these numbers of ranks.
Choice bcast_of_6k(double at_powers, double at_6k, std::initializer_list<int> ranks) {
    auto network = slow_network();
    std::vector<RepeatedCall> library, ours;
    const auto measure = [&](int n, std::uint64_t m, double times) {
        const auto best = rank(slow_network(), Collective::bcast, Clusters({n}), m)->candidates[0];
        library.push_back(repeated(Clusters({n}), m, times * best.time_s().value));
        ours.push_back(
            repeated(Clusters({n}), m, best.time_s().value, *find_algorithm("bcast.binomial")));
    };
    for (std::uint64_t m = 256; m <= 131072; m *= 2)
        for (const int n : {9, 10, 11, 12})
            measure(n, m, at_powers);
    for (const int n : ranks)
        measure(n, 6144, at_6k);
    correct(network, {{Collective::bcast}, true, false}, library);
    correct(network, {{Collective::bcast}, false, false}, ours);
    const std::vector<std::vector<Rule>> rules{decision_table(
        network,
        {.clusters = Clusters({12}), .most_ranks = 12, .collectives = {Collective::bcast}})};
    return ChoiceTable(rules, Collective::bcast, Clusters({12})).at(6144);
}

TEST(DecisionTable, decides_halfway_between_two_sizes) {
    EXPECT_EQ(text_of(bcast_of_6k(0.8, 3, {12})), "bcast.binomial") << "measured to win";
    EXPECT_EQ(text_of(bcast_of_6k(3, 0.8, {12})), "mpi") << "measured to lose";
    EXPECT_EQ(text_of(bcast_of_6k(3, 0.8, {9, 10})), "bcast.binomial")
        << "wins at both sizes, and nothing was measured between them";
}

/// What runs for a broadcast of 48 KiB to 12 ranks if the library's own was measured to take a
/// third less time than ours at 16 KiB and a third more at 64 KiB.
Choice bcast_below_a_win(std::optional<Estimate> eager_limit_bytes) {
    auto network = slow_network();
    network.eager_limit_bytes = eager_limit_bytes;
    const Clusters hosts({12});
    std::vector<RepeatedCall> library, ours;
    for (const auto& [m, times] : {std::pair(16384, 0.7), std::pair(65536, 1.3)}) {
        const auto best = rank(slow_network(), Collective::bcast, hosts, m)->candidates[0];
        library.push_back(repeated(hosts, m, times * best.time_s().value));
        ours.push_back(repeated(hosts, m, best.time_s().value, best.choice.algorithm));
        ours.back().parameters = best.choice.parameters;
    }
    correct(network, {{Collective::bcast}, true, false}, library);
    correct(network, {{Collective::bcast}, false, false}, ours);
    const std::vector<std::vector<Rule>> rules{decision_table(
        network, {.clusters = hosts, .most_ranks = 12, .collectives = {Collective::bcast}})};
    EXPECT_NE(ChoiceTable(rules, Collective::bcast, hosts).at(65536).algorithm, nullptr);
    return ChoiceTable(rules, Collective::bcast, hosts).at(49152);
}

TEST(DecisionTable, wins_by_rendezvous_do_not_reach_eager_messages) {
    EXPECT_NE(bcast_below_a_win({}).algorithm, nullptr);
    EXPECT_EQ(bcast_below_a_win(Estimate{65480, 65480, 65480}).algorithm, nullptr);
    EXPECT_NE(bcast_below_a_win(Estimate{4096, 4096, 4096}).algorithm, nullptr);
}

TEST(DecisionTable, between_two_windows_that_were_measured_each_call_finds_its_own) {
    auto network = slow_network();
    network.plogp.reset();
    network.links = LinkNetwork{{6e6, 100e-6, 20000}, {}, 20e-6};
    network.links->mss_bytes = 1448;
    const Clusters hosts({6});
    const auto* paced = *find_algorithm("alltoall.paced");
    std::vector<RepeatedCall> library, ours;
    for (const auto& [m, window] : {std::pair(262144, 40), std::pair(524288, 80)}) {
        const Choice choice{paced, {.segment_bytes = 1400, .window = window}};
        const double time_s =
            rank(network, Collective::alltoall, hosts, m)->candidates[0].time_s().value;
        library.push_back(repeated(hosts, m, 4 * time_s));
        ours.push_back(repeated(hosts, m, time_s, paced));
        ours.back().parameters = choice.parameters;
    }
    correct(network, {{Collective::alltoall}, true, false}, library);
    correct(network, {{Collective::alltoall}, false, false}, ours);
    const std::vector<std::vector<Rule>> rules{decision_table(
        network, {.clusters = hosts, .most_ranks = 6, .collectives = {Collective::alltoall}})};
    const auto runs = [&](std::uint64_t m) {
        return text_of(ChoiceTable(rules, Collective::alltoall, hosts).at(m));
    };
    EXPECT_NE(runs(262144).find("window=40"), std::string::npos) << runs(262144);
    EXPECT_NE(runs(524288).find("window=80"), std::string::npos) << runs(524288);
    for (const std::uint64_t m : {320000, 393216, 450000})
        EXPECT_EQ(runs(m), "alltoall.paced") << m;
}

/// No more than four binary digits, one of them the first.
bool is_round(std::uint64_t size_bytes) {
    while (size_bytes > 15)
        if (size_bytes % 2 != 0)
            return false;
        else
            size_bytes /= 2;
    return true;
}

TEST(DecisionTable, borders_are_round_and_ours_is_safe_up_to_them) {
    auto network = slow_network();
    for (std::uint64_t m = 64; m <= 65536; m *= 4)
        for (const int n : {6, 11}) {
            const auto ranking = *rank(network, Collective::bcast, Clusters({n}), m);
            // Ours wins more the longer the block.
            const double times = 0.9 + 0.07 * std::log2(double(m) / 64);
            const double time_s = times * ranking.candidates.front().time_s().value;
            network.library.push_back(
                {Collective::bcast, Clusters({n}), m, {time_s, time_s * 0.9, time_s * 1.1}});
        }
    const auto rules = decision_table(network, {.clusters = Clusters({11}), .most_ranks = 22});
    int ours = 0;
    for (const auto& rule : rules) {
        // The library's own runs from the first byte at which ours may not be safe.
        EXPECT_TRUE(is_round(rule.size_bytes.least) ||
                    (rule.choice.is_default() && is_round(rule.size_bytes.least - 1)))
            << text_of(rule);
        if (!rule.choice.algorithm || !rule.ranks.contains(11))
            continue;
        ++ours;
        const auto time_s = [&](Choice choice, std::uint64_t size_bytes) {
            choice.parameters.segment_bytes = std::min(choice.parameters.segment_bytes, size_bytes);
            return evaluate(network, rule.collective, Clusters({11}), size_bytes, choice)->time_s();
        };
        const auto least = std::max<std::uint64_t>(rule.size_bytes.least, 64);
        EXPECT_TRUE(is_safe({time_s(rule.choice, least)}, {time_s({}, least)})) << text_of(rule);
    }
    EXPECT_GT(ours, 0) << text_of(rules);
}

class DecisionTableBorder : public testing::TestWithParam<double> {};

TEST_P(DecisionTableBorder, is_close_to_where_the_library_begins_to_lose) {
    auto network = slow_network();
    const Clusters hosts({11});
    // Between 2 and 4 KiB the library's time grows more than ours.
    for (std::uint64_t m = 256; m <= 32768; m *= 2) {
        const auto ranking = *rank(network, Collective::bcast, hosts, m);
        const double time_s =
            (m <= 2048 ? 0.5 : GetParam()) * ranking.candidates.front().time_s().value;
        network.library.push_back(
            {Collective::bcast, hosts, m, {time_s, time_s * 0.98, time_s * 1.02}});
    }
    const std::vector<std::vector<Rule>> rules{decision_table(
        network, {.clusters = hosts, .most_ranks = 11, .collectives = {Collective::bcast}})};
    const ChoiceTable table(rules, Collective::bcast, hosts);
    std::uint64_t first = 2048;
    while (first < 4096 && table.at(first).is_default())
        ++first;
    ASSERT_LT(first, 4096U) << text_of(rules.front());
    const auto time_s = [&](const Choice& choice, std::uint64_t size_bytes) {
        return evaluate(network, Collective::bcast, hosts, size_bytes, choice)->time_s();
    };
    auto ours = table.at(first);
    constexpr std::uint64_t apart = 2048 / 64 + 1;
    ours.parameters.segment_bytes = std::min(ours.parameters.segment_bytes, first - apart);
    EXPECT_FALSE(is_safe({time_s(ours, first - apart)}, {time_s({}, first - apart)})) << first;
}

INSTANTIATE_TEST_SUITE_P(Times, DecisionTableBorder, testing::Values(1.3, 20));

} // namespace
} // namespace alltold

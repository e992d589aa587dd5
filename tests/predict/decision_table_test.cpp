// SPDX-License-Identifier: BSD-3-Clause
// Ranges cover every call once, run what may run, and lose next to nothing against decisions of
// single calls.
#include "predict/rules/decision_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "measured_calls.hpp"
#include "networks.hpp"
#include "predict/choice/rank.hpp"
#include "predict/decide/decided_call.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/rule.hpp"
#include "topology/places.hpp"

namespace alltold {
namespace {

using namespace test;

/// The choice by the table.
Choice runs(const std::vector<Rule>& rules, Collective collective, const RankCounts& counts,
            std::uint64_t size_bytes) {
    return ChoiceTable({&rules, 1}, collective, counts).at(size_bytes);
}

struct Loss {
    double mean = 0;
    double worst = 0;
};

/// Of calls spread evenly over the logarithms of n and m.
Loss loss_of(const Network& network, const std::vector<Rule>& rules, const Clusters& hosts,
             Collective collective, int calls, int most_ranks) {
    Random random(7);
    Loss loss;
    for (int i = 0; i < calls; ++i) {
        const int least = std::max(2, hosts.count());
        const int n =
            static_cast<int>(least * std::pow(double(most_ranks) / least, random.uniform()));
        const auto m = static_cast<std::uint64_t>(std::exp2(22 * random.uniform()));
        const auto clusters = spread(hosts, n);
        const auto ranking = *rank(network, collective, clusters, m);
        auto choice = runs(rules, collective, clusters, m);
        EXPECT_TRUE(choice.algorithm) << n << " " << m;
        choice.parameters.segment_bytes = std::min(choice.parameters.segment_bytes, m);
        const auto resolved = resolve({collective, clusters, m}, &network, {.choice = choice});
        EXPECT_TRUE(resolved) << resolved.error().message;
        const auto taken = evaluate(network, collective, clusters, m, *resolved);
        EXPECT_TRUE(taken) << taken.error().message;
        const double more = taken->time_s.value / ranking.candidates.front().time_s.value - 1;
        loss.mean += more / calls;
        loss.worst = std::max(loss.worst, more);
    }
    return loss;
}

TEST(DecisionTable, loses_next_to_nothing_against_single_calls) {
    for (const auto& known : {slow_network(), far_network(), fast_network()}) {
        const auto network = with_slow_library(known, {Clusters({2}), Clusters({12})});
        const auto rules = decision_table(network, {.clusters = Clusters({12}), .most_ranks = 12});
        for (const auto collective : papers_collectives) {
            const auto [mean, worst] = loss_of(network, rules, Clusters({12}), collective, 30, 12);
            RecordProperty(std::string(name_of(collective)), std::to_string(mean));
            EXPECT_LE(mean, 0.02) << name_of(collective);
            // Between two numbers of ranks that are decided a tree may lose its last round.
            EXPECT_LE(worst, 0.4) << name_of(collective);
        }
        EXPECT_LE(rules.size(), 250U) << text_of(rules);
    }
}

TEST(DecisionTable, of_two_clusters_loses_next_to_nothing_on_one_and_on_both) {
    const auto network = with_slow_library(
        joined_network(), {Clusters({2}), Clusters({6}), Clusters({1, 1}), Clusters({3, 3})},
        std::vector{Collective::bcast});
    const auto rules = decision_table(
        network,
        {.clusters = Clusters({3, 3}), .most_ranks = 6, .collectives = {Collective::bcast}});
    for (const auto& hosts : {Clusters({3, 3}), Clusters({6})})
        EXPECT_LE(loss_of(network, rules, hosts, Collective::bcast, 30, 6).mean, 0.02)
            << text_of(rules);
}

/// Rules of one layout follow one another in the table.
bool of_one_layout(Rule a, const Rule& b) {
    a.size_bytes = b.size_bytes;
    a.choice = b.choice;
    a.expected = b.expected;
    a.others = b.others;
    return a == b;
}

bool same_winners(const Rule& a, const Rule& b) {
    return a.choice == b.choice &&
           std::ranges::equal(a.others, b.others, {}, &Candidate::choice, &Candidate::choice);
}

/// joined_network() with memory, where a slow library's collectives were measured on two of these
/// hosts and on all.
Network measured_on(const Clusters& hosts, const std::vector<Collective>& collectives) {
    auto network = joined_network();
    network.links->memory = LinkNetwork::Memory{1e-6, 4e9, 8e9};
    const int each = hosts.most_ranks_of_a_host();
    return with_slow_library(
        network, {hosts.count() > 1 ? Clusters({1, 1}) : Clusters::of_hosts({{each, each}}), hosts},
        collectives);
}

class DecisionTableOf : public testing::TestWithParam<const char*> {};

TEST_P(DecisionTableOf, hosts_covers_every_call_once_and_reads_back) {
    const auto hosts = on(GetParam());
    const int each = hosts.most_ranks_of_a_host();
    const std::vector collectives{Collective::bcast, Collective::barrier};
    const auto rules = decision_table(
        measured_on(hosts, collectives),
        {.clusters = hosts, .most_ranks = hosts.ranks(), .collectives = collectives});
    const auto read = parse_rules(text_of(rules), "table");
    ASSERT_TRUE(read) << read.error().message << "\n" << text_of(rules);
    EXPECT_EQ(text_of(*read), text_of(rules));
    int ours = 0;
    for (std::size_t i = 1; i < rules.size(); ++i) {
        ours += rules[i].choice.algorithm != nullptr;
        EXPECT_TRUE(same_winners((*read)[i], rules[i])) << text_of(rules[i]);
        if (of_one_layout(rules[i - 1], rules[i])) {
            EXPECT_EQ(rules[i - 1].size_bytes.most + 1, rules[i].size_bytes.least);
            EXPECT_FALSE(same_winners(rules[i - 1], rules[i])) << text_of(rules[i]);
        }
    }
    EXPECT_GT(ours, 0) << text_of(rules);
    for (const auto collective : collectives)
        for (int n = std::max(hosts.count(), each + 1); n <= hosts.ranks(); ++n)
            for (const std::uint64_t m : {0ULL, 1ULL, 1000ULL, 65536ULL, 1ULL << 30}) {
                RankCounts counts(n, hosts.count());
                counts.per_host = static_cast<std::uint64_t>(each);
                EXPECT_EQ(std::ranges::count_if(
                              rules,
                              [&](const Rule& rule) { return rule.covers(collective, m, counts); }),
                          1)
                    << name_of(collective) << " " << n << " " << m;
            }
}

INSTANTIATE_TEST_SUITE_P(Hosts, DecisionTableOf, testing::Values("6", "2+3", "3x2", "2x4/1x3"));

TEST(DecisionTable, names_what_wins_in_loops_beside_what_wins_alone) {
    const auto rules = decision_table(
        with_bcasts_like("bcast.binary"),
        {.clusters = Clusters({12}), .most_ranks = 12, .collectives = {Collective::bcast}});
    const auto* rule = first_rule({&rules, 1}, Collective::bcast, 65536, Clusters({12}));
    ASSERT_NE(rule, nullptr);
    const auto in_loops = rule->choice_after(std::vector{StartMode::loop});
    const auto alone = rule->choice_after(std::vector{StartMode::silence});
    EXPECT_NE(in_loops, alone) << text_of(*rule);
    EXPECT_NE(text_of(in_loops).find("bcast.chain"), std::string::npos) << text_of(*rule);
    for (const auto& other : rule->others)
        if (other.choice == in_loops) {
            EXPECT_LT(other.expected.after(StartMode::loop), 0.7) << text_of(*rule);
        }
}

TEST(DecisionTable, of_several_ranks_per_host_is_for_as_many) {
    const auto hosts = on("4x2");
    const auto rules =
        decision_table(measured_on(hosts, {Collective::bcast}),
                       {.clusters = hosts, .most_ranks = 8, .collectives = {Collective::bcast}});
    EXPECT_TRUE(runs(rules, Collective::bcast, hosts, 65536).algorithm) << text_of(rules);
    EXPECT_TRUE(runs(rules, Collective::bcast, on("3x2/1"), 65536).algorithm) << "one is not full";
    for (const char* others : {"8", "2x4"})
        EXPECT_EQ(first_rule({&rules, 1}, Collective::bcast, 65536, on(others)), nullptr);
}

/// The text of the rules reads back.
std::vector<Rule> with_trials(Network network, const Clusters& hosts) {
    network.defaults_of = MpiLibrary::open_mpi;
    auto rules = decision_table(network, {.clusters = hosts,
                                          .most_ranks = 2 * hosts.ranks(),
                                          .collectives = {Collective::bcast},
                                          .trials = true});
    const auto read = parse_rules(text_of(rules), "table");
    EXPECT_TRUE(read && text_of(*read) == text_of(rules)) << text_of(rules);
    return rules;
}

/// The library's own runs, and programs try ours.
void expect_tried(const std::vector<Rule>& rules, const Clusters& clusters, std::uint64_t m) {
    const auto* rule = first_rule({&rules, 1}, Collective::bcast, m, clusters);
    ASSERT_NE(rule, nullptr) << clusters.text() << " " << m << "\n" << text_of(rules);
    EXPECT_TRUE(rule->choice.is_default()) << text_of(*rule);
    ASSERT_FALSE(rule->others.empty()) << text_of(*rule);
    for (const auto& other : rule->others) {
        EXPECT_TRUE(other.trial) << text_of(*rule);
        EXPECT_LT(*std::ranges::min_element(other.expected.ratios), 1) << text_of(*rule);
    }
    for (const auto start : {StartMode::silence, StartMode::barrier, StartMode::loop})
        EXPECT_TRUE(rule->choice_after({&start, 1}).is_default()) << text_of(*rule);
}

TEST(DecisionTable, programs_try_what_is_only_predicted) {
    const Clusters hosts({6});
    const auto rules = with_trials(measured_on(hosts, {Collective::bcast}), hosts);
    for (const char* clusters : {"13", "100", "2x2", "6x3", "5x4", "24x8", "40x64"})
        expect_tried(rules, on(clusters), 65536);
    for (int n = 2; n <= 6; ++n)
        EXPECT_TRUE(runs(rules, Collective::bcast, Clusters({n}), 65536).algorithm) << n;
}

TEST(DecisionTable, trials_are_for_any_number_of_hosts_in_as_many_clusters) {
    const auto hosts = on("2x2+2x2");
    const auto rules = with_trials(measured_on(hosts, {Collective::bcast}), hosts);
    for (const char* clusters : {"5x2+5x2", "1x2+9x2", "4+4", "2x3+2x3", "20x4+20x4", "4x2", "8"})
        expect_tried(rules, on(clusters), 65536);
    EXPECT_EQ(first_rule({&rules, 1}, Collective::bcast, 65536, on("2+2+2")), nullptr);
}

/// slow_network() where the library's broadcast takes so many times what the best of ours does on
/// these ranks at each size.
template <typename Times>
Network with_bcast_times(const std::vector<std::uint64_t>& sizes_bytes, const Clusters& hosts,
                         Times times) {
    const auto unmeasured = slow_network();
    auto network = unmeasured;
    for (const auto m : sizes_bytes) {
        const double time_s =
            times(m) * rank(unmeasured, Collective::bcast, hosts, m)->candidates[0].time_s.value;
        network.library.push_back(
            {Collective::bcast, hosts, m, {time_s, time_s * 0.98, time_s * 1.02}});
    }
    return network;
}

std::vector<Rule> bcast_rules(const Network& network, const Clusters& hosts) {
    auto rules = decision_table(
        network,
        {.clusters = hosts, .most_ranks = hosts.ranks(), .collectives = {Collective::bcast}});
    EXPECT_TRUE(parse_rules(text_of(rules), "table")) << text_of(rules);
    return rules;
}

bool may_run(const Network& network, const Clusters& hosts, const Choice& choice,
             std::uint64_t size_bytes) {
    SimulationCache simulations;
    const Decider decider(network, StartMode::silence, Collective::bcast, hosts, simulations, {});
    return decider.at({&hosts, 1}, size_bytes, {&choice, 1}).odds.back().may_run({});
}

TEST(DecisionTable, a_choice_may_run_at_both_ends_of_its_range) {
    const Clusters hosts({11});
    // Ours wins by turns.
    const auto network =
        with_bcast_times({256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}, hosts,
                         [](std::uint64_t m) { return std::bit_width(m) % 3 == 0 ? 0.7 : 1.5; });
    const auto rules = bcast_rules(network, hosts);
    int ours = 0;
    for (const auto& rule : rules) {
        if (!rule.choice.algorithm || !rule.ranks.contains(11))
            continue;
        ++ours;
        EXPECT_TRUE(may_run(network, hosts, rule.choice, rule.size_bytes.least)) << text_of(rule);
        // Borders are known to an eighth of a power of two.
        const auto most = static_cast<double>(rule.size_bytes.most) / std::exp2(1. / 8);
        EXPECT_TRUE(may_run(network, hosts, rule.choice,
                            std::max(rule.size_bytes.least, static_cast<std::uint64_t>(most))))
            << text_of(rule);
    }
    EXPECT_GE(ours, 3) << text_of(rules);
}

TEST(DecisionTable, programs_try_what_is_larger_than_measured_or_too_risky) {
    const Clusters hosts({6});
    auto network = with_bcast_times({256, 2048, 16384, 131072}, hosts,
                                    [](std::uint64_t m) { return m == 2048 ? 1.1 : 2.; });
    for (auto& time : network.library)
        if (time.size_bytes == 2048)
            time.time_s = {time.time_s.value, time.time_s.value / 3, time.time_s.value * 3};
    const auto rules = with_trials(network, hosts);
    expect_tried(rules, hosts, 1 << 20);
    expect_tried(rules, hosts, 1 << 30);
    expect_tried(rules, hosts, 2048);
    EXPECT_TRUE(runs(rules, Collective::bcast, hosts, 131072).algorithm) << text_of(rules);
}

class DecisionTableBorder : public testing::TestWithParam<double> {};

TEST_P(DecisionTableBorder, is_close_to_where_the_library_begins_to_lose) {
    const Clusters hosts({11});
    // Between 2 and 4 KiB the library's time grows more than ours.
    const auto network =
        with_bcast_times({256, 512, 1024, 2048, 4096, 8192, 16384, 32768}, hosts,
                         [](std::uint64_t m) { return m <= 2048 ? 0.5 : GetParam(); });
    const auto rules = bcast_rules(network, hosts);
    std::uint64_t first = 2048;
    while (first < 4096 && runs(rules, Collective::bcast, hosts, first).is_default())
        ++first;
    ASSERT_LT(first, 4096U) << text_of(rules);
    const auto ours = runs(rules, Collective::bcast, hosts, first);
    EXPECT_TRUE(may_run(network, hosts, ours, first)) << first;
    EXPECT_FALSE(
        may_run(network, hosts, ours, static_cast<std::uint64_t>(static_cast<double>(first) / 1.1)))
        << first;
}

INSTANTIATE_TEST_SUITE_P(Times, DecisionTableBorder, testing::Values(1.5, 20));

TEST(DecisionTable, the_library_runs_between_two_of_ours_where_neither_may) {
    auto network = slow_network();
    network.plogp.reset();
    network.links = LinkNetwork{{6e6, 100e-6, 0}, {}, 20e-6};
    network.links->mss_bytes = 1448;
    const Clusters hosts({12});
    const auto library_takes = [&](std::uint64_t size_bytes, double time_s) {
        network.library.push_back({Collective::bcast, hosts, size_bytes, {time_s, time_s, time_s}});
    };
    const std::vector<std::uint64_t> sizes{256, 1024, 2048, 8192, 1 << 20};
    for (const auto m : sizes)
        library_takes(m, 100);
    const auto known = bcast_rules(network, hosts);
    const auto second = std::ranges::find_if(known, [](const Rule& rule) {
        return rule.ranks.contains(12) && Span{1025, 2047}.contains(rule.size_bytes.least);
    });
    ASSERT_NE(second, known.end()) << text_of(known);
    const auto above = std::ranges::upper_bound(sizes, second->size_bytes.least);
    const auto low = above[-1], quarter = (above[0] - low) / 4;
    for (const std::uint64_t quarters : {1, 2, 3})
        library_takes(low + quarters * quarter, 1e-6);
    const auto rules = bcast_rules(network, hosts);
    const auto at = [&](std::uint64_t m) { return runs(rules, Collective::bcast, hosts, m); };
    EXPECT_TRUE(at(low).algorithm);
    EXPECT_TRUE(at(*above).algorithm);
    for (const std::uint64_t quarters : {1, 2, 3})
        EXPECT_EQ(text_of(at(low + quarters * quarter)), "mpi") << text_of(rules);
}

TEST(DecisionTable, decides_halfway_between_two_sizes_and_on_both_sides_of_the_eager_limit) {
    const Clusters hosts({12});
    const auto at = [&](const Network& network, std::uint64_t m) {
        return runs(bcast_rules(network, hosts), Collective::bcast, hosts, m).is_default();
    };
    const auto loses_at = [&](std::uint64_t lost) {
        return with_bcast_times({256, 4096, 6100, 6144, 6200, 8192, 65536}, hosts,
                                [&](std::uint64_t m) { return m == lost ? 0.5 : 2; });
    };
    EXPECT_TRUE(at(loses_at(6144), 6144));
    EXPECT_FALSE(at(loses_at(6100), 6100)) << "nobody looks there";
    auto limited = loses_at(6100);
    limited.eager_limit_bytes = Estimate::exact(6100);
    EXPECT_TRUE(at(limited, 6100));
    EXPECT_FALSE(at(limited, 6200));
}

TEST(DecisionTable, knows_that_cutting_gains_most_just_over_one_packet) {
    const Clusters two({2});
    auto network = with_slow_library(slow_network(), {two});
    network.links = LinkNetwork{{6e6, 100e-6, 65536}, {}, 20e-6};
    network.links->mss_bytes = 1448;
    network.links->store_and_forward = 1;
    network.plogp.reset();
    constexpr std::uint64_t over_one_packet = 1533;
    const auto quickest = rank(network, Collective::bcast, two, over_one_packet)->candidates[0];
    ASSERT_GT(quickest.choice.parameters.segment_bytes, 0U) << "two packets forwarded in turn";
    EXPECT_EQ(text_of(runs(bcast_rules(network, two), Collective::bcast, two, over_one_packet)),
              text_of(quickest.choice));
}

TEST(DecisionTable, states_no_windows_that_each_call_finds) {
    const std::vector collectives{Collective::alltoall, Collective::gather};
    const auto rules = decision_table(
        with_slow_library(joined_network(),
                          {Clusters({2}), Clusters({6}), Clusters({1, 1}), Clusters({3, 3})},
                          collectives),
        {.clusters = Clusters({3, 3}), .most_ranks = 6, .collectives = collectives});
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
    EXPECT_GT(searched, 0) << text_of(rules);
    EXPECT_GT(windowed, searched);
}

TEST(DecisionTable, names_what_one_start_alone_runs) {
    const auto rules = [](double usual, double after_barrier) {
        return decision_table(with_alltoalls(usual, after_barrier),
                              {.clusters = Clusters({12}),
                               .collectives = {Collective::alltoall},
                               .calls = {Clusters({12})}});
    };
    const auto after = [](const std::vector<Rule>& table, std::optional<StartMode> start) {
        RankCounts counts(12, 1);
        if (start)
            counts.starts = {*start};
        return !runs(table, Collective::alltoall, counts, 131072).is_default();
    };
    const auto quicker_after_barrier = rules(0.8, 1.9), quicker_after_silence = rules(1.9, 0.8);
    EXPECT_FALSE(after(quicker_after_barrier, {}));
    EXPECT_TRUE(after(quicker_after_barrier, StartMode::barrier));
    EXPECT_FALSE(after(quicker_after_barrier, StartMode::silence));
    EXPECT_FALSE(after(quicker_after_barrier, StartMode::loop));
    EXPECT_TRUE(after(quicker_after_silence, StartMode::silence));
    EXPECT_FALSE(after(quicker_after_silence, StartMode::barrier));
    const auto both = rules(1.9, 1.9);
    EXPECT_TRUE(after(both, {}));
    EXPECT_TRUE(std::ranges::all_of(both, [](const Rule& rule) { return rule.others.empty(); }))
        << text_of(both);
    const auto* rule =
        first_rule({&quicker_after_barrier, 1}, Collective::alltoall, 131072, {12, 1});
    ASSERT_TRUE(rule && rule->others.size() == 1);
    EXPECT_LT(rule->others[0].expected.after(StartMode::barrier), 0.6) << text_of(*rule);
    EXPECT_GE(rule->others[0].expected.after(StartMode::silence).value_or(1), 1) << text_of(*rule);
}

std::vector<Rule> bcast_rules_of_2_and_4(const std::vector<std::pair<Clusters, double>>& library,
                                         const std::vector<Clusters>& calls = {},
                                         int most_ranks = 6) {
    return decision_table(with_bcasts(library), {.clusters = Clusters({2, 4}),
                                                 .most_ranks = most_ranks,
                                                 .collectives = {Collective::bcast},
                                                 .calls = calls});
}

TEST(DecisionTable, rules_suit_all_spreads) {
    const auto at = [](const std::vector<Rule>& rules, const RankCounts& counts) {
        return runs(rules, Collective::bcast, counts, 4096).algorithm != nullptr;
    };
    const Clusters one_three({1, 3}), two_two({2, 2});
    EXPECT_TRUE(at(bcast_rules_of_2_and_4({{one_three, 4}, {two_two, 4}}), {4, 2}));
    const auto loses = bcast_rules_of_2_and_4({{one_three, 4}, {two_two, 0.25}});
    EXPECT_FALSE(at(loses, {4, 2})) << "a loss on 2+2";
    EXPECT_FALSE(at(loses, two_two));
}

TEST(DecisionTable, over_several_clusters_is_for_no_more_ranks_than_they_have) {
    std::uint64_t most_of_one = 0, most_of_two = 0;
    for (const auto& rule : bcast_rules_of_2_and_4({{Clusters({2, 4}), 4}}, {}, 12))
        (rule.clusters.most == 1 ? most_of_one : most_of_two) = rule.ranks.most;
    EXPECT_EQ(most_of_one, 12U);
    EXPECT_EQ(most_of_two, 6U);
}

TEST(DecisionTable, for_some_calls_has_the_rules_that_these_follow) {
    const std::vector<std::pair<Clusters, double>> library{
        {Clusters({1, 3}), 4}, {Clusters({2, 2}), 0.25}, {Clusters({4}), 4}};
    const Clusters asked({1, 3});
    const auto all = bcast_rules_of_2_and_4(library),
               few = bcast_rules_of_2_and_4(library, {asked});
    for (std::uint64_t m = 64; m <= 65536; m *= 2)
        EXPECT_EQ(runs(few, Collective::bcast, asked, m), runs(all, Collective::bcast, asked, m))
            << m;
    EXPECT_TRUE(first_rule({&all, 1}, Collective::bcast, 4096, {4, 1}));
    EXPECT_FALSE(first_rule({&few, 1}, Collective::bcast, 4096, {4, 1})) << "one cluster";
}

TEST(DecisionTable, of_other_collectives_is_made_when_asked_for) {
    const std::vector others{Collective::allgather, Collective::reduce, Collective::barrier};
    const auto rules =
        decision_table(with_slow_library(slow_network(), {Clusters({2}), Clusters({12})}, others),
                       {.clusters = Clusters({12}), .most_ranks = 12, .collectives = others});
    for (const auto collective : others)
        for (const int n : {2, 7, 12})
            EXPECT_TRUE(runs(rules, collective, {n, 1}, 1000).algorithm)
                << name_of(collective) << " " << n;
    for (const auto& rule : rules)
        EXPECT_NE(std::ranges::count(others, rule.collective), 0) << text_of(rule);
}

TEST(DecisionTable, leaves_everything_to_a_library_that_was_not_measured) {
    const auto rules = decision_table({}, {.clusters = Clusters({12}), .most_ranks = 24});
    std::string expected;
    for (const auto collective : uniform_collectives)
        expected +=
            fmt::format("{}:any:n=2-24:one cluster:per-host=1 = mpi\n", name_of(collective));
    EXPECT_EQ(text_of(rules), expected);
    const auto trials =
        decision_table({}, {.clusters = Clusters({12}), .most_ranks = 24, .trials = true});
    EXPECT_TRUE(trials.empty()) << "of nothing that is known: " << text_of(trials);
}

TEST(RankCounts, tell_hosts_from_ranks) {
    const auto rules = *parse_rules("alltoall:any:hosts>=2:per-host=4 = alltoall.direct", "test");
    const auto covers = [&](const char* clusters) {
        return rules.front().covers(Collective::alltoall, 1024, on(clusters));
    };
    EXPECT_TRUE(covers("2x4"));
    EXPECT_TRUE(covers("3x4/1x2+2"));
    EXPECT_FALSE(covers("1x4"));
    EXPECT_FALSE(covers("8"));
    EXPECT_FALSE(covers("4x2"));
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// What runs between the sizes that were measured, and where one choice ends.
#include "predict/rules/decision_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "measured_calls.hpp"
#include "networks.hpp"
#include "predict/choice/rank.hpp"
#include "predict/choice/safe_choice.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/parse.hpp"

namespace alltold {
namespace {

using namespace test;

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

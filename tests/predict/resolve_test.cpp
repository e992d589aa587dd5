// SPDX-License-Identifier: BSD-3-Clause
// What a call leaves open is the same for predictions, rankings and tables, and is what resolve
// says.
#include "predict/parameters/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "networks.hpp"
#include "predict/choice/rank.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/parameters/paced_parameters.hpp"
#include "predict/parameters/parameter_search.hpp"
#include "predict/parameters/window_search.hpp"
#include "predict/predict_algorithm.hpp"
#include "predict/rules/decision_table.hpp"
#include "predict/rules/rule.hpp"
#include "predict/timing/simulation_cache.hpp"
#include "random_calls.hpp"
#include "topology/places.hpp"

namespace alltold {
namespace {

using namespace test;

Choice resolved(const CollectiveCall& call, const Network* network, std::string_view text) {
    return *resolve(call, network, {.choice = *parse_choice(text)});
}

std::string text_at(const CollectiveCall& call, const Network* network, std::string_view text) {
    return text_of(resolved(call, network, text));
}

TEST(Resolve, counts_bytes_where_nothing_is_known) {
    const CollectiveCall all{Collective::alltoall, Clusters({12}), 65536};
    EXPECT_EQ(text_at(all, nullptr, "alltoall.paced"),
              "alltoall.paced segment=8KiB window=4 inter_cluster_window=4");
    EXPECT_EQ(text_at({Collective::alltoall, Clusters({12}), 64}, nullptr, "alltoall.paced"),
              "alltoall.paced")
        << "64 bytes fit anywhere";
    EXPECT_EQ(text_at(all, nullptr, "alltoall.rotated"), "alltoall.rotated window=4");
    const CollectiveCall gather{Collective::gather, Clusters({12}), 8192};
    EXPECT_EQ(text_at(gather, nullptr, "gather.windowed"), "gather.windowed window=8");
    EXPECT_EQ(text_at({Collective::gather, Clusters({6, 6}), 32768}, nullptr, "gather.clustered"),
              "gather.clustered window=2 inter_cluster_window=8");
    EXPECT_EQ(
        text_at({Collective::bcast, Clusters({12}), 1 << 20}, nullptr, "bcast.chain_segmented"),
        "bcast.chain_segmented segment=8KiB");
}

TEST(Resolve, cuts_into_packets_where_start_ups_are_not_known_but_short) {
    // Hosts alone in their clusters: no pair of them shows what a start-up takes.
    Network network;
    network.links = LinkNetwork{{1e6, 0, 65536}, Link{4e5, 1e-3, 16384}};
    const CollectiveCall call{Collective::bcast, Clusters({1, 1, 1, 1}), 32768};
    EXPECT_LE(resolved(call, &network, "bcast.chain_segmented").parameters.segment_bytes, 1400U);
    network.links->port.goodput_bytes_per_s = network.links->backbone->goodput_bytes_per_s = 1e8;
    EXPECT_GE(resolved(call, &network, "bcast.chain_segmented").parameters.segment_bytes, 9800U)
        << "a packet takes 14 us, perhaps no longer than a start-up";
}

TEST(Resolve, keeps_what_was_given) {
    const CollectiveCall all{Collective::alltoall, Clusters({12}), 65536};
    EXPECT_EQ(text_at(all, nullptr, "alltoall.paced window=9"),
              "alltoall.paced segment=8KiB window=9 inter_cluster_window=4");
    const auto network = slow_network();
    EXPECT_EQ(text_at({Collective::bcast, Clusters({12}), 1 << 20}, &network,
                      "bcast.chain_segmented segment=2KiB"),
              "bcast.chain_segmented segment=2KiB");
}

TEST(Resolve, finds_windows_from_links_with_their_initial_window) {
    const auto network = joined_network();
    const auto found =
        resolved({Collective::gather, Clusters({6, 6}), 65536}, &network, "gather.clustered")
            .parameters;
    EXPECT_EQ(found.inter_cluster_window, 10);
    const CollectiveCall all{Collective::alltoall, Clusters({12}), 65536};
    const auto paced = paced_parameters(*network.links, all.clusters, all.size_bytes);
    EXPECT_GT(paced.window, 0);
    EXPECT_EQ(resolved(all, &network, "alltoall.paced"),
              (Choice{*find_algorithm("alltoall.paced"), paced}));
}

/// A paced exchange on two to four clusters, with the parameters that resolve finds and with
/// paced_parameters'.
struct Paced {
    CallTime found, direct;
};

std::optional<Paced> paced_on(const Network& network, const CollectiveCall& call) {
    auto choice = resolved(call, &network, "alltoall.paced");
    if (choice.parameters.window == 0)
        return std::nullopt;
    const auto time = [&] {
        return *evaluate(network, call.collective, call.clusters, call.size_bytes, choice);
    };
    auto found = time();
    choice.parameters = paced_parameters(*network.links, call.clusters, call.size_bytes);
    return Paced{std::move(found), time()};
}

TEST(Resolve, paces_exchanges_across_clusters_by_simulation) {
    constexpr double mbit = 1e6 / 8 * 1448 / 1514;
    Random random(3701);
    const auto between = [&](double least, double most) {
        return least * std::pow(most / least, random.uniform());
    };
    int faster = 0, mended = 0;
    for (int i = 0; i < 40; ++i) {
        std::vector<int> sizes(2 + random.index(3));
        for (auto& size : sizes)
            size = 1 + static_cast<int>(random.index(5));
        const double nic = between(5, 50) * mbit;
        Network network;
        network.links = LinkNetwork{
            {nic, 1e-4, between(16, 256) * 1024},
            Link{between(0.3, 3) * 2 * nic, between(5e-4, 4e-2), between(16, 512) * 1024},
            5e-5,
            0.2};
        const CollectiveCall call{Collective::alltoall, Clusters(sizes),
                                  std::uint64_t{4096} << random.index(5)};
        const auto paced = paced_on(network, call);
        if (!paced)
            continue;
        const double overflow = paced->direct.modelled.overflow_bytes;
        EXPECT_LE(paced->found.modelled.overflow_bytes, overflow) << text_of(call);
        mended += overflow > 0 && paced->found.modelled.overflow_bytes <= 0;
        if (overflow > 0)
            continue;
        EXPECT_LE(paced->found.time_s.value, 1.1 * paced->direct.time_s.value) << text_of(call);
        faster += paced->found.time_s.value < 0.8 * paced->direct.time_s.value;
    }
    EXPECT_GT(faster, 0);
    EXPECT_GT(mended, 0);
}

TEST(Resolve, paces_an_allgather_by_the_one_window_that_it_takes) {
    Network network;
    network.links = LinkNetwork{{2.4e6, 75e-6, 16384}, Link{9.5e6, 10e-3, 262144}, 1e-5, 0.2};
    network.links->mss_bytes = 1448;
    int limited = 0;
    for (const std::uint64_t size_bytes : {4096, 16384, 65536, 262144}) {
        const CollectiveCall call{Collective::allgather, Clusters({4, 8}), size_bytes};
        const auto found = resolve(call, &network, {.choice = *parse_choice("allgather.direct")});
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_TRUE(accepts(*found->algorithm, call.collective, 12, -1, found->parameters))
            << text_of(*found);
        const auto time = [&](const Parameters& parameters) {
            return evaluate(network, call.collective, call.clusters, size_bytes,
                            {found->algorithm, parameters})
                ->time_s.value;
        };
        EXPECT_LE(time(found->parameters), 1.05 * time({})) << text_of(*found);
        limited += found->parameters.window > 0;
    }
    EXPECT_GT(limited, 0);
}

TEST(Resolve, paces_exchanges_that_lose_nothing_if_ranks_start_apart) {
    // Measured on such a network: two segments of 4200 B of each rank in flight across the backbone
    // lose packets in one call of six, segments of 1400 B in none, and these are quicker.
    Network network;
    network.links = LinkNetwork{{2.59e6, 75e-6, 125e3}, Link{1.17e6, 1.92e-3, 16.5e3}, 1e-5, 0.2};
    network.links->mss_bytes = 1448;
    const CollectiveCall call{Collective::alltoall, Clusters({5, 1}), 7145};
    const auto paced = paced_on(network, call);
    ASSERT_TRUE(paced);
    EXPECT_FALSE(paced->found.modelled.may_lose);
    EXPECT_LE(paced->found.choice.parameters.segment_bytes, 2800U);
    const auto long_segments = evaluate(network, call.collective, call.clusters, call.size_bytes,
                                        {*find_algorithm("alltoall.paced"), {4200, 7, 2, {}}});
    ASSERT_TRUE(long_segments);
    EXPECT_EQ(long_segments->modelled.overflow_bytes, 0);
    EXPECT_TRUE(long_segments->modelled.may_lose);
}

TEST(Resolve, paces_exchanges_that_overflow_though_even_shares_would_fit) {
    // Measured on such a network, of 12,000 B: segments of 1400 B with windows of 6 and 16 take 73
    // ms, of 2800 B with 10 and 4 take 94 ms, and the bound is 67 ms.
    Network network;
    network.links = LinkNetwork{{1.645e6, 1e-4, 118e3}, Link{4.39e6, 0.9e-3, 17.6e3}, 1e-5, 0.05};
    network.links->mss_bytes = 1448;
    const CollectiveCall call{Collective::alltoall, Clusters({4, 4, 2}), 12000};
    const auto time = [&](const Parameters& parameters) {
        return *evaluate(network, call.collective, call.clusters, call.size_bytes,
                         {*find_algorithm("alltoall.paced"), parameters});
    };
    const auto unlimited = time({}), full = time({2800, 10, 4, {}}),
               found = time(resolved(call, &network, "alltoall.paced").parameters);
    EXPECT_TRUE(unlimited.modelled.may_lose);
    EXPECT_FALSE(found.modelled.may_lose);
    EXPECT_LE(found.time_s.value, 0.9 * full.time_s.value);
    EXPECT_LE(found.time_s.value, 1.2 * found.bound_s);
}

TEST(Resolve, lets_fewer_send_to_a_root_where_short_messages_would_overflow_the_backbone) {
    // Measured on such a network: a window of 11 takes 287 ms, of 5 takes 74 ms.
    Network network;
    network.links = LinkNetwork{{6.57e5, 1e-4, 8e4}, Link{8.26e5, 0.9e-3, 15844}, 1e-5, 0.05};
    network.links->mss_bytes = 1448;
    const auto windowed = *find_algorithm("gather.windowed");
    const CollectiveCall call{Collective::gather, Clusters({2, 2, 8}), 4096};
    const auto by_formula =
        gather_windows(network, *windowed, call.clusters, call.size_bytes).window;
    ASSERT_EQ(by_formula, 11);
    const auto found = resolved(call, &network, "gather.windowed");
    EXPECT_LT(found.parameters.window, by_formula);
    EXPECT_FALSE(evaluate(network, call.collective, call.clusters, call.size_bytes, found)
                     ->modelled.may_lose);
    // Of long messages losses cost less than small windows do.
    const CollectiveCall long_blocks{call.collective, call.clusters, 1 << 18};
    EXPECT_EQ(resolved(long_blocks, &network, "gather.windowed").parameters.window,
              gather_windows(network, *windowed, call.clusters, long_blocks.size_bytes).window);
}

TEST(Resolve, cuts_no_broadcast_whose_pieces_would_wait_for_a_far_cluster) {
    Network network;
    network.links = LinkNetwork{{3.6e6, 1e-4, 1e5}, Link{9.4e6, 10.9e-3, 4.8e4}, 1e-5, 0.05};
    network.links->mss_bytes = 1448;
    EXPECT_EQ(text_at({Collective::bcast, Clusters({2, 6}), 2048}, &network, "bcast.circulant"),
              "bcast.circulant segment=2KiB");
}

TEST(Resolve, avoids_segments_of_which_idle_connections_hold_too_few) {
    Network network;
    network.links = LinkNetwork{{2.7e6, 107e-6, 1e5}, Link{8.2e6, 19e-3, 9e5}, 8.5e-6, 0.9};
    network.links->initial_window_bytes = ten_segments_bytes;
    network.links->mss_bytes = 748; // of which MPI's header takes 48
    // Of ten packets 700 bytes wait for an acknowledgement of 38 ms; used connections hide that.
    const CollectiveCall call{Collective::bcast, Clusters({5, 1, 4}), 26701};
    EXPECT_EQ(text_at(call, &network, "bcast.clustered"), "bcast.clustered segment=1400");
    network.links->initial_window_bytes = 0;
    EXPECT_EQ(text_at(call, &network, "bcast.clustered"), "bcast.clustered segment=700");
}

TEST(Resolve, avoids_segments_that_were_measured_to_be_slow) {
    auto network = slow_network();
    const CollectiveCall call{Collective::bcast, Clusters({12}), 65536};
    const Choice chain{*find_algorithm("bcast.chain_segmented")};
    const auto modelled = [&](std::uint64_t segment_bytes) {
        auto cut = chain;
        cut.parameters.segment_bytes = segment_bytes;
        return evaluate(network, call.collective, call.clusters, call.size_bytes, cut)
            ->time_s.value;
    };
    const auto by_model = resolved(call, &network, "bcast.chain_segmented").parameters;
    ASSERT_LE(by_model.segment_bytes, 2800U);
    std::vector<RepeatedCall> calls;
    for (const std::uint64_t segment_bytes : {700, 1400, 2800, 5600, 11200}) {
        // Short segments keep processors busy, which no model knows.
        const double time_s = modelled(segment_bytes) * (segment_bytes <= 2800 ? 3 : 1);
        calls.push_back({chain.algorithm,
                         {segment_bytes, 0, 0, {}},
                         call.clusters,
                         call.size_bytes,
                         {time_s, 1.01 * time_s, 0.99 * time_s}});
    }
    SimulationCache simulations;
    const CorrectedCalls of{{call.collective}, false, false};
    network.corrections.push_back(*fit_correction(
        of, medians_of(calls), network, baselines_of(of, network, call.clusters), simulations));
    EXPECT_GT(resolved(call, &network, "bcast.chain_segmented").parameters.segment_bytes, 2800U);
}

TEST(Resolve, takes_an_alltoallv_for_one_of_long_blocks) {
    EXPECT_EQ(text_at({Collective::alltoallv, Clusters({12}), 0}, nullptr, "alltoall.paced"),
              "alltoall.paced segment=8KiB window=4 inter_cluster_window=4");
}

TEST(Resolve, finds_segments_of_reductions_from_any_root) {
    const auto network = slow_network();
    const CollectiveCall call{Collective::reduce, Clusters({12}), 1 << 20};
    EXPECT_EQ(text_at(call, nullptr, "reduce.chain_segmented"),
              "reduce.chain_segmented segment=8KiB");
    const auto found = resolved(call, &network, "reduce.chain_segmented");
    EXPECT_GT(found.parameters.segment_bytes, 0U);
    EXPECT_LT(found.parameters.segment_bytes, call.size_bytes / 8)
        << "twelve ranks in a chain wait for whole segments";
    for (const int root : {1, 7, 11})
        EXPECT_EQ(resolved({call.collective, call.clusters, call.size_bytes, root}, &network,
                           "reduce.chain_segmented"),
                  found)
            << root;
}

TEST(Resolve, finds_all_segments_by_prediction) {
    const auto network = slow_network();
    const std::uint64_t size_bytes = 1 << 20;
    int found = 0;
    for (const auto* algorithm : registry()) {
        const auto choice = resolve({algorithm->collective, Clusters({12}), size_bytes}, &network,
                                    {.choice = Choice{algorithm}});
        if (!choice || algorithm->segment == Algorithm::Use::no ||
            algorithm->window == Algorithm::Use::may)
            continue;
        ++found;
        const auto segment_bytes = choice->parameters.segment_bytes;
        EXPECT_TRUE(segment_bytes == size_bytes || segment_bytes % 1400 == 0 ||
                    segment_bytes == 700)
            << "whole packets, not the default: " << text_of(*choice);
    }
    EXPECT_GE(found, 5);
}

TEST(Resolve, knows_no_size_of_a_barrier) {
    const auto network = joined_network();
    for (const std::uint64_t size_bytes : {0, 1 << 20})
        for (const auto* known : {&network, static_cast<const Network*>(nullptr)})
            EXPECT_EQ(text_at({Collective::barrier, Clusters({6, 6}), size_bytes}, known,
                              "barrier.dissemination"),
                      "barrier.dissemination");
    const auto ranking = rank(network, Collective::barrier, Clusters({6, 6}), 1 << 20);
    ASSERT_TRUE(ranking) << ranking.error().message;
    EXPECT_LT(ranking->candidates.front().time_s.value, 0.1);
}

TEST(Resolve, goes_by_rules_where_nothing_is_chosen) {
    const CollectiveCall call{Collective::alltoall, Clusters({12}), 65536};
    EXPECT_EQ(text_of(*resolve(call, nullptr, {})), "alltoall.pairwise");
    EXPECT_TRUE(resolve({Collective::barrier, call.clusters}, nullptr, {})->is_default());
    Rule rule;
    rule.collective = Collective::alltoall;
    rule.choice = *parse_choice("alltoall.paced");
    const std::vector<std::vector<Rule>> rules{{rule}};
    const ChoiceTable table(rules, Collective::alltoall, {12, 1});
    EXPECT_EQ(text_of(*resolve(call, nullptr, {.rules = &table})),
              text_at(call, nullptr, "alltoall.paced"));
}

TEST(Resolve, leaves_alltoall_lg_small_without_a_search_where_clusters_are_alike) {
    const auto network = joined_network();
    const CollectiveCall alike{Collective::alltoall, Clusters({4, 4}), 65536};
    EXPECT_EQ(resolved(alike, &network, "alltoall.lg_small").parameters.window, default_window);
    const CollectiveCall differ{Collective::alltoall, Clusters({2, 3, 5}), 65536};
    const auto window = resolved(differ, &network, "alltoall.lg_small").parameters.window;
    EXPECT_EQ(window, 2);
    const auto ranking = *rank(network, alike.collective, alike.clusters, alike.size_bytes);
    EXPECT_TRUE(std::ranges::any_of(ranking.unranked, [](const auto& one) {
        return one.why.find("such as --clusters 2+5+5") != std::string::npos;
    }));
    const auto& small = **find_algorithm("alltoall.lg_small");
    EXPECT_TRUE(check_crossover(small, Clusters({2, 5, 5})));
    EXPECT_FALSE(check_crossover(small, Clusters({3, 7}))) << "its one pair is either lg or direct";
}

TEST(Resolve, refuses_what_the_algorithm_does_not_take) {
    const CollectiveCall call{Collective::alltoall, Clusters({12}), 65536};
    EXPECT_FALSE(resolve(call, nullptr, {.choice = *parse_choice("alltoall.direct window=4")}));
    EXPECT_FALSE(resolve(call, nullptr, {.choice = *parse_choice("alltoall.lg")}));
    EXPECT_FALSE(resolve(call, nullptr, {.choice = *parse_choice("bcast.chain")}));
}

TEST(Resolve, gives_rules_the_windows_of_each_call) {
    Random random(58);
    int compared = 0;
    const std::vector measured{Clusters({2}), Clusters({8}), Clusters({1, 1}), Clusters({4, 4})};
    for (const auto& network : {with_slow_library(slow_network(), measured),
                                with_slow_library(joined_network(), measured)})
        for (const auto collective : {Collective::gather, Collective::alltoall}) {
            const Clusters hosts = network.links ? Clusters({4, 4}) : Clusters({8});
            const std::vector<std::vector<Rule>> rules{decision_table(
                network, {.clusters = hosts, .most_ranks = 8, .collectives = {collective}})};
            for (int i = 0; i < 20; ++i) {
                const auto n = 2 + static_cast<int>(random.index(7));
                const CollectiveCall call{collective, spread(hosts, n),
                                          std::uint64_t{1} << random.index(20)};
                const auto rule = ChoiceTable(rules, collective, call.clusters).at(call.size_bytes);
                if (!rule.algorithm || searches_windows(rule))
                    continue;
                const auto own = resolve(call, &network, {.choice = rule}).value().parameters;
                const auto found =
                    resolve(call, &network, {.choice = Choice{rule.algorithm}}).value().parameters;
                EXPECT_EQ(own.window, found.window) << text_of(call) << text_of(rule);
                EXPECT_EQ(own.inter_cluster_window, found.inter_cluster_window)
                    << text_of(call) << text_of(rule);
                ++compared;
            }
        }
    EXPECT_GT(compared, 40);
}

TEST(Resolve, gives_predictions_and_rankings_the_same_parameters) {
    Random random(20070);
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
        const auto network = random_network(random);
        const auto call = random_call(random);
        const auto ranking = rank(network, call.collective, call.clusters, call.size_bytes);
        if (!ranking)
            continue;
        const auto specification =
            Specification::of(call.collective, call.clusters.ranks(), 0, call.size_bytes);
        for (const auto& ranked : ranking->candidates) {
            if (!ranked.choice.algorithm)
                continue;
            const auto& algorithm = *ranked.choice.algorithm;
            const auto expected = resolve(call, &network, {.choice = Choice{&algorithm}}).value();
            EXPECT_EQ(ranked.choice, expected) << text_of(call) << text_of(ranked.choice);
            const auto predicted =
                predict_algorithm(network, algorithm, specification, call.clusters, {},
                                  **preferred_model(network, call.clusters, algorithm.name,
                                                    static_cast<double>(call.size_bytes)),
                                  {.most_messages = 3072, .estimate = true});
            ASSERT_TRUE(predicted);
            EXPECT_EQ(predicted->choice, expected);
            ++compared;
        }
    }
    EXPECT_GT(compared, 80);
}

} // namespace
} // namespace alltold

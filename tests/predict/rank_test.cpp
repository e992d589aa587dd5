// SPDX-License-Identifier: BSD-3-Clause
// A ranking holds everything that can run, in order, and explains itself.
#include "predict/choice/rank.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/rules/decision_table.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "networks.hpp"
#include "predict/choice/explain.hpp"
#include "predict/parameters/segment_search.hpp"
#include "predict/predict_algorithm.hpp"

namespace alltold {
namespace {

using namespace test;

const CallTime* find(const Ranking& ranking, std::string_view name) {
    for (const auto& candidate : ranking.candidates)
        if (text_of(candidate.choice).starts_with(name))
            return &candidate;
    return nullptr;
}

TEST(Rank, holds_every_algorithm_best_first) {
    const auto ranking = *rank(slow_network(), Collective::bcast, Clusters({12}), 1 << 20);
    std::set<std::string_view> everywhere, on_several_clusters;
    for (const auto* row : registry())
        if (row->runs(Collective::bcast) && row->hosts != Algorithm::Use::must)
            (row->clusters == Algorithm::Use::must ? on_several_clusters : everywhere)
                .insert(row->name);
    std::set<std::string_view> ranked;
    for (const auto& candidate : ranking.candidates)
        ranked.insert(candidate.choice.algorithm->name);
    EXPECT_EQ(ranked, everywhere);
    EXPECT_EQ(ranking.candidates.size(), everywhere.size());
    const auto place = [&](std::string_view text) {
        const auto* found = find(ranking, text);
        return found ? found - ranking.candidates.data() : std::ssize(ranking.candidates);
    };
    EXPECT_LT(place("bcast.circulant segment=8400"), place("bcast.chain_segmented segment=4200"));
    EXPECT_LT(place("bcast.chain_segmented segment=4200"), place("bcast.binomial"));
    EXPECT_LT(place("bcast.binomial"), place("bcast.flat"));
    EXPECT_TRUE(std::is_sorted(
        ranking.candidates.begin(), ranking.candidates.end(),
        [](const auto& a, const auto& b) { return a.time_s.value < b.time_s.value; }));
    std::set<std::string_view> unranked;
    for (const auto& one : ranking.unranked)
        unranked.insert(one.name);
    on_several_clusters.insert("mpi");
    EXPECT_EQ(unranked, on_several_clusters);
    for (const auto& candidate : ranking.candidates)
        EXPECT_GE(candidate.time_s.value, candidate.bound_s);
}

TEST(Rank, times_are_those_of_predict) {
    const auto network = slow_network();
    for (const int n : {5, 8, 12}) {
        const auto ranking = *rank(network, Collective::bcast, Clusters({n}), 65536);
        EXPECT_TRUE(find(ranking, "bcast.circulant"));
        for (const auto& candidate : ranking.candidates) {
            const auto predicted = [&](const Parameters& parameters) {
                return *predict_algorithm(network, *candidate.choice.algorithm,
                                          Specification::of(Collective::bcast, n, 0, 65536),
                                          Clusters({n}), parameters, **algorithm_model("plogp"));
            };
            const auto same = predicted(candidate.choice.parameters);
            EXPECT_EQ(candidate.time_s, same.time_s) << n << text_of(candidate.choice);
            // Only a search among few segments may end a little above a search among many.
            EXPECT_NEAR(candidate.time_s.value / predicted({}).time_s.value, 1.01, 0.0101)
                << n << " " << text_of(candidate.choice);
        }
    }
}

TEST(Rank, prefers_small_fan_in_among_equals) {
    const auto network = pairs_of(1e-6, 1e-6, 6e6);
    const auto ranking = *rank(network, Collective::alltoall, Clusters({12}), 65536);
    EXPECT_EQ(text_of(ranking.candidates[0].choice), "alltoall.pairwise");
    EXPECT_EQ(ranking.candidates[0].fan_in, 1);
    EXPECT_EQ(find(ranking, "alltoall.direct")->fan_in, 11);
    const auto reasons = explain(network, ranking).sentences;
    ASSERT_EQ(reasons.size(), 2U);
    EXPECT_NE(reasons[1].find("predict a tie with"), std::string::npos) << reasons[1];
    EXPECT_NE(reasons[1].find("at most 1 of its ranks send"), std::string::npos) << reasons[1];
}

TEST(Rank, a_known_queue_that_may_overflow_is_asked) {
    auto network = slow_network(); // pLogP, for which all gathers take the same time
    network.links = LinkNetwork{{6e6, 100e-6, 16384}, {}, 20e-6};
    const auto ranking = *rank(network, Collective::gather, Clusters({12}), 16384);
    const auto* flat = find(ranking, "gather.flat");
    const auto* windowed = find(ranking, "gather.windowed");
    ASSERT_TRUE(flat && windowed);
    EXPECT_EQ(flat->model, "links");
    EXPECT_EQ(windowed->model, "links");
    EXPECT_LT(3 * windowed->time_s.value, flat->time_s.value);
    const auto model = [&](Collective collective, std::uint64_t size_bytes) {
        return rank(network, collective, Clusters({12}), size_bytes)->candidates.front().model;
    };
    EXPECT_EQ(model(Collective::gather, 1024), "plogp") << "all of it fits into the queue";
    EXPECT_EQ(model(Collective::alltoall, 65536), "links");
    EXPECT_EQ(model(Collective::bcast, 65536), "plogp") << "one rank sends to another at a time";
    network.links->port.queue_bytes = 0;
    EXPECT_EQ(model(Collective::gather, 16384), "plogp");
}

TEST(Rank, what_overflows_at_an_unknown_cost_comes_behind) {
    Network network;
    const auto line = [](double base_us, double slope_us) {
        return SizeCurve({{0, 1e-6 * base_us}, {1500, 1e-6 * (base_us + 1500 * slope_us)}});
    };
    auto& cluster = network.cluster.emplace(); // TW99's Table 1
    cluster.O_s = line(6.37, 0.0253);
    cluster.g_s = line(3.027, 0.0796);
    cluster.g_r = line(4.986, 0.0788);
    cluster.O_r = line(12.176, 0.0429);
    cluster.U_r_s = 9.93e-6;
    cluster.L = {16.684e-6, 1.556e-6, 0.0826e-6, 90e6};
    cluster.packet_bytes = 1500;
    cluster.buffer_bytes = 1935 * 1500;
    const auto ranking = *rank(network, Collective::gather, Clusters({16}), 1 << 20);
    const auto* flat = find(ranking, "gather.flat");
    const auto* windowed = find(ranking, "gather.windowed");
    EXPECT_GT(flat->uncharged_loss_bytes(), 10e6);
    EXPECT_EQ(windowed->uncharged_loss_bytes(), 0);
    EXPECT_LT(flat->time_s.value, windowed->time_s.value);
    EXPECT_LT(windowed, flat) << "TW99, figure 5";
    const auto& caveats = flat->caveats;
    ASSERT_FALSE(caveats.empty());
    EXPECT_NE(caveats.front().find("excludes the loss"), std::string::npos);

    network.cluster->timeout_s = 0.2;
    network.cluster->buffer_bytes = 30 * 1500;
    const auto charged = *rank(network, Collective::gather, Clusters({16}), 1 << 17);
    EXPECT_EQ(find(charged, "gather.flat")->uncharged_loss_bytes(), 0);
    EXPECT_GT(find(charged, "gather.flat")->time_s.value,
              0.1 + find(charged, "gather.windowed")->time_s.value);
}

TEST(Rank, the_librarys_own_is_a_candidate_where_it_was_measured) {
    auto network = slow_network();
    const auto measured = [&](int n, std::uint64_t size_bytes, double time_s) {
        network.library.push_back(
            {Collective::bcast, Clusters({n}), size_bytes, {time_s, 0.9 * time_s, 1.1 * time_s}});
    };
    measured(4, 1024, 1e-5);
    measured(12, 1024, 1e-4);
    measured(12, 4096, 4e-4);
    const auto here = *rank(network, Collective::bcast, Clusters({12}), 1024);
    EXPECT_EQ(text_of(here.candidates[0].choice), "mpi");
    EXPECT_DOUBLE_EQ(here.candidates[0].time_s.value, 1e-4);
    EXPECT_DOUBLE_EQ(here.candidates[0].time_s.high, 1.1e-4);
    const auto time_at = [&](int n, std::uint64_t size_bytes) {
        const auto ranking = *rank(network, Collective::bcast, Clusters({n}), size_bytes);
        return find(ranking, "mpi")->time_s;
    };
    const auto between = time_at(12, 2048), far = time_at(96, 2048);
    EXPECT_TRUE(1e-4 < between.value && between.value < 4e-4) << between.value;
    EXPECT_TRUE(1e-5 < time_at(7, 1024).value && time_at(7, 1024).value < 1e-4);
    EXPECT_GT(far.value, between.value);
    EXPECT_GT(far.high / far.low, 1.5 * between.high / between.low);
    const auto other = *rank(network, Collective::scatter, Clusters({12}), 1024);
    EXPECT_EQ(find(other, "mpi"), nullptr);
}

TEST(Rank, what_the_library_can_be_told_is_a_candidate_and_no_rule) {
    auto network = slow_network();
    network.library.push_back({Collective::bcast, Clusters({12}), 1024, {2e-4, 2e-4, 2e-4}, "mpi"});
    network.library.push_back(
        {Collective::bcast, Clusters({12}), 1024, {1e-4, 1e-4, 1e-4}, "mpi.pipeline segment=8KiB"});
    const auto here = *rank(network, Collective::bcast, Clusters({12}), 1024);
    EXPECT_EQ(text_of(here.candidates[0].choice), "mpi.pipeline segment=8KiB");
    EXPECT_EQ(here.candidates[0].method, "measured here");
    const auto runnable = std::ranges::find_if(
        here.candidates, [](const CallTime& time) { return time.choice.library.empty(); });
    ASSERT_NE(runnable, here.candidates.end());
    EXPECT_EQ(text_of(runnable->choice), "mpi");
    EXPECT_FALSE(rank(network, Collective::gather, Clusters({12}), 1024)->candidates.empty());
    for (const auto& rule : decision_table(network, {.clusters = Clusters({12}), .most_ranks = 16}))
        EXPECT_TRUE(rule.choice.library.empty()) << text_of(rule);
}

TEST(Rank, says_where_it_estimates) {
    const auto ranking = *rank(slow_network(), Collective::alltoall, Clusters({1024}), 65536);
    const auto* paced = find(ranking, "alltoall.paced");
    ASSERT_TRUE(paced);
    const auto& predicted = *paced;
    EXPECT_TRUE(predicted.method.starts_with("extrapolated from n = ")) << predicted.method;
    ASSERT_FALSE(predicted.caveats.empty());
    EXPECT_NE(predicted.caveats.back().find("is extrapolated from n = "), std::string::npos);
    const Choice rough{*find_algorithm("bcast.binomial_segmented"), {.segment_bytes = 8192}};
    const auto method = [&](int n) {
        return evaluate(slow_network(), Collective::bcast, Clusters({n}), 1 << 20, rough)->method;
    };
    EXPECT_EQ(method(12), "simulated");
    EXPECT_EQ(method(200), "extrapolated from 7 and 15 segments");
    EXPECT_EQ(method(1000), "closed form, upper bound") << "three segments would not tell";
}

TEST(Rank, estimates_are_near_what_they_stand_for) {
    const auto network = slow_network();
    const auto& paced = **find_algorithm("alltoall.paced");
    const auto quick = *rank(network, Collective::alltoall, Clusters({96}), 65536);
    const auto full = *predict_algorithm(
        network, paced, Specification::of(Collective::alltoall, 96, 0, 65536), Clusters({96}),
        find(quick, "alltoall.paced")->choice.parameters, **algorithm_model("plogp"));
    EXPECT_EQ(full.method, "simulated");
    EXPECT_NEAR(find(quick, "alltoall.paced")->time_s.value / full.time_s.value, 1, 0.1);
}

TEST(Rank, pipelines_go_on_as_they_began) {
    const Clusters clusters({128, 128});
    // Time-outs are not carried on; queues without end have none.
    auto network = joined_network();
    network.links->port.queue_bytes = network.links->backbone->queue_bytes = 0;
    for (const auto* name : {"bcast.binomial_segmented", "bcast.chain_segmented", "bcast.clustered",
                             "bcast.flat_segmented"})
        for (const std::uint64_t segment_bytes : {2800, 8400}) {
            const auto& algorithm = **find_algorithm(name);
            const Choice choice{&algorithm, {.segment_bytes = segment_bytes}};
            const auto quick = *evaluate(network, Collective::bcast, clusters, 1 << 19, choice);
            EXPECT_EQ(quick.method, "extrapolated from 6 and 12 segments");
            const auto full = *predict_algorithm(
                network, algorithm, Specification::of(Collective::bcast, 256, 0, 1 << 19), clusters,
                choice.parameters, **algorithm_model("links"));
            EXPECT_EQ(full.method, "simulated");
            EXPECT_NEAR(quick.time_s.value / full.time_s.value, 1, 0.2)
                << name << " " << segment_bytes;
        }
}

TEST(Rank, exchanges_are_steady_after_a_few_segments) {
    auto network = joined_network();
    network.links->port.queue_bytes = network.links->backbone->queue_bytes = 0;
    const auto& paced = **find_algorithm("alltoall.paced");
    const auto method_of = [&](const char* hosts, std::uint64_t size_bytes, int window) {
        const auto clusters = *Clusters::parse(hosts);
        const Choice choice{&paced,
                            {.segment_bytes = 2800,
                             .window = window,
                             .inter_cluster_window = default_inter_cluster_window}};
        const auto quick = *evaluate(network, Collective::alltoall, clusters, size_bytes, choice);
        const auto full = *predict_as_given(
            network, paced,
            Specification::of(Collective::alltoall, clusters.ranks(), 0, size_bytes), clusters,
            choice.parameters, **algorithm_model("links"));
        EXPECT_EQ(full.method, "simulated");
        EXPECT_NEAR(quick.time_s.value / full.time_s.value, 1, 0.1)
            << hosts << " " << size_bytes << " " << window;
        return quick.method;
    };
    for (const int window : {4, 11}) {
        EXPECT_EQ(method_of("6+6", 7 * 2800, window), "simulated");
        EXPECT_EQ(method_of("6+6", 20 * 2800, window), "extrapolated from 3 and 7 segments");
        EXPECT_EQ(method_of("3+5", 40 * 2800, window), "extrapolated from 8 and 16 segments");
        EXPECT_EQ(method_of("10+10", 40 * 2800, window), "extrapolated from 3 and 7 segments");
    }
}

TEST(Rank, simulates_all_segments_where_a_part_of_them_fills_a_queue_by_half) {
    // Measured on such a network: 27 KiB lose 6 packets a call, and it takes 373 ms.
    Network network;
    network.links = LinkNetwork{{2.738e6, 78e-6, 56062}, Link{7.198e6, 991e-6, 42960}, 8.5e-6, 0.2};
    network.links->mss_bytes = 1448;
    network.links->initial_window_bytes = ten_segments_bytes;
    const auto paced = [&](std::uint64_t size_bytes, int window) {
        return *evaluate(network, Collective::alltoall, Clusters({5, 4, 1}), size_bytes,
                         {*find_algorithm("alltoall.paced"), {1400, window, 2 * window, {}}});
    };
    const auto lossy = paced(27648, 8);
    EXPECT_EQ(lossy.method, "simulated");
    EXPECT_GT(lossy.modelled.fullest, 0.9) << "after all 20 segments; after 10 it is 0.6";
    EXPECT_TRUE(paced(27648, 2).method.starts_with("extrapolated from"));
    EXPECT_TRUE(paced(256 << 10, 8).method.starts_with("extrapolated from"))
        << "which would take too long";
}

TEST(Rank, what_cannot_win_gets_the_parameters_it_would_run_with) {
    const Clusters clusters({512, 512});
    const auto network = joined_network();
    const auto ranking = *rank(network, Collective::bcast, clusters, 1 << 20);
    EXPECT_TRUE(text_of(ranking.candidates[0].choice).starts_with("bcast.clustered segment="));
    const auto* flat = find(ranking, "bcast.flat_segmented");
    ASSERT_TRUE(flat);
    EXPECT_GT(flat->time_s.value, 100 * ranking.candidates[0].time_s.value);
    const auto resolved = resolve({Collective::bcast, clusters, 1 << 20}, &network,
                                  {.choice = Choice{flat->choice.algorithm}});
    ASSERT_TRUE(resolved);
    EXPECT_EQ(flat->choice, *resolved) << flat->method;
}

TEST(Rank, remembers_simulations_without_changing_a_time) {
    const auto network = joined_network();
    SimulationCache simulations;
    for (const std::uint64_t size_bytes : {4096, 65536, 1 << 20}) {
        const auto first =
            *rank(network, Collective::bcast, Clusters({6, 6}), size_bytes, &simulations);
        const auto again =
            *rank(network, Collective::bcast, Clusters({6, 6}), size_bytes, &simulations);
        const auto alone = *rank(network, Collective::bcast, Clusters({6, 6}), size_bytes);
        ASSERT_EQ(first.candidates.size(), alone.candidates.size());
        for (std::size_t i = 0; i < first.candidates.size(); ++i) {
            EXPECT_EQ(first.candidates[i].choice, again.candidates[i].choice);
            EXPECT_EQ(first.candidates[i].time_s.value, again.candidates[i].time_s.value);
            const auto fresh = evaluate(network, Collective::bcast, Clusters({6, 6}), size_bytes,
                                        first.candidates[i].choice);
            EXPECT_EQ(first.candidates[i].time_s.value, fresh->time_s.value);
        }
    }
}

TEST(Rank, several_clusters_are_ranked_on_links) {
    const auto ranking = *rank(joined_network(), Collective::alltoall, Clusters({6, 6}), 16384);
    ASSERT_TRUE(find(ranking, "alltoall.lg"));
    ASSERT_TRUE(find(ranking, "alltoall.paced"));
    EXPECT_GT(find(ranking, "alltoall.paced")->choice.parameters.inter_cluster_window, 0);
    for (const auto& candidate : ranking.candidates)
        EXPECT_EQ(candidate.model, "links");
    EXPECT_FALSE(rank(slow_network(), Collective::alltoall, Clusters({6, 6}), 16384));
}

TEST(Rank, finds_between_which_clusters_blocks_go_together) {
    const auto window = [](const Clusters& clusters, std::uint64_t size_bytes) {
        const auto ranking = *rank(joined_network(), Collective::alltoall, clusters, size_bytes);
        const auto* candidate = find(ranking, "alltoall.lg_small");
        return candidate ? candidate->choice.parameters.window : 0;
    };
    EXPECT_EQ(window(Clusters({6, 6}), 64), 0) << "all pairs are alike";
    EXPECT_EQ(window(Clusters({2, 6, 6}), 64), 2);
    EXPECT_EQ(window(Clusters({2, 2, 2}), 64), 0);
    // Of two crossovers the better one.
    const Clusters three({1, 3, 8, 8});
    const int best = window(three, 65536);
    for (const int other : {1, 3}) {
        const auto at = [&](int w) {
            return evaluate(joined_network(), Collective::alltoall, three, 65536,
                            *parse_choice("alltoall.lg_small window=" + std::to_string(w)))
                ->time_s.value;
        };
        EXPECT_LE(at(best), at(other));
    }
}

TEST(Rank, a_gather_from_afar_has_as_many_senders_as_the_delay_needs) {
    // 6 MB/s for a round trip of 20.2 ms are 121,200 bytes, from two other clusters half of it; a
    // message of 64 KiB starts in 4.5 of them, one of 1 MiB in 8.2.
    const auto senders = [](std::uint64_t size_bytes, const Clusters& clusters) {
        const auto ranking = *rank(joined_network(), Collective::gather, clusters, size_bytes);
        return find(ranking, "gather.clustered")->choice.parameters.inter_cluster_window;
    };
    EXPECT_EQ(senders(65536, Clusters({6, 6})), 10);
    EXPECT_EQ(senders(10000, Clusters({6, 6})), 11);
    EXPECT_EQ(senders(65536, Clusters({6, 3, 3})), 6);
    EXPECT_EQ(senders(1 << 20, Clusters({6, 6})), 2);
}

TEST(Explain, names_the_term_that_dominates) {
    const auto parts = [](const Network& network, std::uint64_t size_bytes,
                          const Clusters& clusters) {
        const auto ranking = *rank(network, Collective::bcast, clusters, size_bytes);
        return *parts_of(network, ranking, ranking.candidates[0]);
    };
    EXPECT_GT(parts(slow_network(), 1 << 20, Clusters({12})).bandwidth, 0.9);
    EXPECT_GT(parts(far_network(), 1, Clusters({12})).latency, 0.9);
    EXPECT_GT(parts(pairs_of(0, 1e-3, 1e9), 1, Clusters({12})).start_ups, 0.9);
    EXPECT_GT(parts(joined_network(), 1, Clusters({6, 6})).backbone, 0.5);
    const auto network = slow_network();
    const auto reasons =
        explain(network, *rank(network, Collective::bcast, Clusters({12}), 1 << 20)).sentences;
    EXPECT_NE(reasons[0].find(": bandwidth 9"), std::string::npos) << reasons[0];
}

/// What `explain` says of two algorithms alone.
std::string of_two(const Network& network, std::uint64_t size_bytes, const char* first,
                   const char* second) {
    auto ranking = *rank(network, Collective::bcast, Clusters({12}), size_bytes);
    ranking.candidates = {*find(ranking, first), *find(ranking, second)};
    return explain(network, ranking).sentences[1];
}

TEST(Explain, names_what_separates_the_first_from_the_second) {
    // 11 messages of 175 ms, and a chain of 250 segments and 10 hops of 0.7 ms.
    const auto flat =
        of_two(slow_network(), 1 << 20, "bcast.chain_segmented", "bcast.flat_rendezvous");
    EXPECT_TRUE(flat.starts_with("The runner-up is bcast.flat_rendezvous with 1.92 s, 10."))
        << flat;
    EXPECT_NE(flat.find(" The main difference is bandwidth: 1.74 s more."), std::string::npos)
        << flat;
    // 11 latencies of 20 ms against one.
    const auto chain = of_two(far_network(), 1, "bcast.flat", "bcast.chain");
    EXPECT_NE(chain.find(" The main difference is latency: 200 ms more."), std::string::npos)
        << chain;
    const auto starting = of_two(pairs_of(0, 1e-3, 1e9), 1, "bcast.binomial", "bcast.flat");
    EXPECT_NE(starting.find(" The main difference is start-ups: "), std::string::npos) << starting;
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Calls on hosts with several ranks: what models know of them, windows, bounds and corrections.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "networks.hpp"
#include "predict/bounds/bounds.hpp"
#include "predict/choice/rank.hpp"
#include "predict/corrections/fit_corrections.hpp"
#include "predict/library/library_prediction.hpp"
#include "predict/parameters/paced_parameters.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/parameters/window_search.hpp"
#include "predict/predict_algorithm.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

using namespace test;

Network hosts_network() {
    auto network = joined_network();
    network.links->memory = LinkNetwork::Memory{1e-6, 4e9, 8e9};
    return network;
}

std::string refusal(const CostModel& model, const Network& network, const Clusters& clusters) {
    const auto able = check_model(model, network, clusters, "alltoall.paced");
    return able ? "" : able.error().message;
}

TEST(PredictHosts, OnlyLinksWithTheirMemoryKnowThem) {
    const auto network = hosts_network();
    for (const auto* model : cost_models()) {
        if (!model->lacks(network).empty())
            continue;
        const auto reason = refusal(*model, network, on("2x3"));
        EXPECT_EQ(reason.empty(), model->name == "links") << model->name << ": " << reason;
        EXPECT_EQ(reason.empty(), reason.find("--model links") == reason.npos) << reason;
    }
    const auto& links = **algorithm_model("links");
    EXPECT_EQ(refusal(links, joined_network(), on("2x3")),
              "copies between ranks of one host were not measured");
    EXPECT_EQ(refusal(links, joined_network(), on("6")), "");
    EXPECT_EQ((*preferred_model(network, on("2x3"), "alltoall.paced", 100))->name, "links");
    EXPECT_EQ((*preferred_model(network, on("6"), "alltoall.paced", 100))->name, "plogp");
    EXPECT_EQ(preferred_model(joined_network(), on("2x3"), "alltoall.paced", 100).error().message,
              "copies between ranks of one host were not measured");
    EXPECT_FALSE(preferred_model(slow_network(), on("2x3"), "alltoall.paced", 100));
}

TEST(PredictHosts, ChildrenThatAreSentToAtOnceShareAPort) {
    // As Open MPI's on MareNostrum: of k children all are served after k messages, and the first
    // one has k - 1 of its own, so 5 + 4 + 3 + 2 + 1.
    Network network;
    HockneyFit pairs;
    pairs.alpha_s = pairs.latency_s = Estimate::exact(2e-6);
    pairs.beta_s_per_byte = Estimate::exact(1 / 25e9);
    network.local = pairs;
    network.links = LinkNetwork{{25e9, 2e-6, 0}, {}};
    network.links->mss_bytes = ethernet_segment_bytes;
    constexpr std::uint64_t size_bytes = 64 << 20;
    for (const auto& [name, times] :
         {std::pair("bcast.binomial_doubling", 15.), std::pair("bcast.binary_interleaved", 9.)}) {
        const auto time = evaluate(network, Collective::bcast, Clusters({32}), size_bytes,
                                   {*find_algorithm(name)});
        ASSERT_TRUE(time) << time.error().message;
        EXPECT_EQ(time->model, "links");
        EXPECT_NEAR(time->time_s.value / (size_bytes / 25e9), times, 0.8) << name;
    }
}

TEST(PredictHosts, BruckTakesTimeForItsCopies) {
    auto network = slow_network();
    const auto time_s = [&] {
        return evaluate(network, Collective::alltoall, Clusters({8}), 65536,
                        {*find_algorithm("alltoall.bruck")})
            ->time_s.value;
    };
    const double without_s = time_s();
    network.links = LinkNetwork{{6e6, 100e-6, 0}, {}};
    network.links->memory = LinkNetwork::Memory{1e-6, 1e7, 1e7};
    // All 8 blocks twice, and 4 of them before and after each of three rounds.
    EXPECT_NEAR(time_s() - without_s, (2 * 8 + 2 * 3 * 4) * 65536 / 1e7, 1e-9);
}

TEST(PredictHosts, BoundsAreOfHosts) {
    const auto bound = [](const Specification& specification, const char* clusters) {
        return collective_bound_s(specification, on(clusters), 1e6, {});
    };
    EXPECT_DOUBLE_EQ(bound(Specification::of(Collective::alltoall, 6, 0, 1000), "2x3"), 9e-3);
    EXPECT_DOUBLE_EQ(bound(Specification::of(Collective::alltoall, 6, 0, 1000), "6"), 5e-3);
    EXPECT_DOUBLE_EQ(bound(Specification::of(Collective::bcast, 6, 0, 1000), "2x3"), 1e-3);
    EXPECT_EQ(bound(Specification::of(Collective::bcast, 6, 0, 1000), "1x6"), 0);
    // Of six blocks three are at the root's host.
    EXPECT_DOUBLE_EQ(bound(Specification::of(Collective::gather, 6, 4, 1000), "2x3"), 3e-3);
    EXPECT_DOUBLE_EQ(bound(Specification::of(Collective::scatter, 6, 0, 1000), "2x3"), 3e-3);
    EXPECT_EQ(collective_bound_s(Specification::of(Collective::bcast, 6, 0, 1000), on("1x6"),
                                 hosts_network()),
              0);
}

TEST(PredictHosts, PredictionsKeepTheBoundAndKnowWhereRanksAre) {
    const auto network = hosts_network();
    const auto time_s = [&](const char* clusters, const char* name) {
        const auto one =
            evaluate(network, Collective::alltoall, on(clusters), 100000, *parse_choice(name));
        EXPECT_TRUE(one) << one.error().message;
        EXPECT_GE(one->time_s.value, one->bound_s);
        return one->time_s.value;
    };
    // 144 pairs of ranks share a port where 12 are on each host, 11 where each has its own.
    const double apart_s = time_s("24", "alltoall.rotated"),
                 together_s = time_s("2x12", "alltoall.rotated");
    EXPECT_NEAR(together_s / apart_s, 144. / 23, 1.5);
    EXPECT_LT(time_s("1x24", "alltoall.rotated"), apart_s / 20);
    // The cache must not take one for the other.
    SimulationCache cache;
    for (const char* clusters : {"24", "2x12", "12x2", "1x24"})
        EXPECT_EQ(evaluate(network, Collective::alltoall, on(clusters), 100000,
                           *parse_choice("alltoall.rotated"), &cache)
                      ->time_s.value,
                  time_s(clusters, "alltoall.rotated"))
            << clusters;
}

TEST(PredictHosts, ResolveTellsThemToAlgorithmsThatTakeClusters) {
    const auto network = hosts_network();
    const auto clusters_of = [&](const char* clusters, const char* name) {
        return resolve({Collective::alltoall, on(clusters), 65536}, &network,
                       {.choice = *parse_choice(name)})
            ->parameters.clusters;
    };
    EXPECT_EQ(clusters_of("2x3", "alltoall.paced"), on("2x3"));
    EXPECT_EQ(clusters_of("2x3+4x2", "alltoall.paced"), on("2x3+4x2"));
    EXPECT_EQ(clusters_of("6", "alltoall.paced"), std::nullopt);
    EXPECT_EQ(clusters_of("2x3", "alltoall.pairwise"), std::nullopt);
    EXPECT_FALSE(resolve({Collective::alltoall, on("2x3"), 65536}, &network,
                         {.choice = *parse_choice("alltoall.lg")}))
        << "it needs two clusters";
}

TEST(PredictHosts, MessagesBetweenWholeHostsFillNoPort) {
    const auto network = hosts_network();
    const double queue_bytes = network.links->port.queue_bytes;
    for (const char* name :
         {"alltoall.host_leader", "alltoall.host_leaders", "alltoall.host_shared"})
        for (const char* clusters : {"4x2", "8x3", "1x4/1x3/1/1x4", "3x2+2x4"})
            for (std::uint64_t m = 1; m <= 1 << 18; m *= 8) {
                const auto each = static_cast<double>(on(clusters).most_ranks_of_a_host());
                const double carriers = std::string(name).ends_with("shared") ? each
                                        : std::string(name).ends_with("leaders")
                                            ? std::ceil(std::sqrt(each))
                                            : 1;
                const auto window = resolve({Collective::alltoall, on(clusters), m}, &network,
                                            {.choice = *parse_choice(name)})
                                        ->parameters.window;
                const double bytes = carriers * each * each * static_cast<double>(m);
                EXPECT_TRUE(window == 1 || window * bytes <= queue_bytes) << name << clusters << m;
                EXPECT_TRUE(window == on(clusters).hosts() || (window + 1) * bytes > queue_bytes)
                    << name << clusters << m;
            }
}

TEST(PredictHosts, RanksOfAHostShareTheWindowOfItsPort) {
    EXPECT_TRUE(rc::check([] {
        const int ranks = *rc::gen::inRange(1, 33), hosts = *rc::gen::inRange(2, 12);
        const bool two = *rc::gen::arbitrary<bool>();
        const std::vector<int> of_cluster(static_cast<std::size_t>(hosts), ranks);
        std::vector<std::vector<int>> of_hosts{of_cluster};
        if (two)
            of_hosts.push_back(of_cluster);
        const auto clusters = Clusters::of_hosts(of_hosts);
        LinkNetwork links{{6e6, 1e-4, double(*rc::gen::inRange(16384, 1 << 19))}, {}};
        if (two)
            links.backbone = Link{2e7, 1e-2, 262144};
        const auto size_bytes = static_cast<std::uint64_t>(*rc::gen::inRange(1, 1 << 19));
        const auto found = paced_parameters(links, clusters, size_bytes);
        const auto size = static_cast<double>(size_bytes);
        if (found.window == 0) {
            RC_ASSERT(two || ranks * (clusters.ranks() - ranks) * size <= links.port.queue_bytes);
            return;
        }
        const double segment = std::min(static_cast<double>(found.segment_bytes), size);
        const double half_a_packet = ethernet_payload_bytes / 2.;
        const auto alone = paced_parameters(links, clusters.leaders(), size_bytes);
        // Half a segment of rounding.
        const double rounded = std::max(segment, std::min(size, double(alone.segment_bytes))) / 2;
        RC_ASSERT(ranks * found.window * segment <= links.port.queue_bytes + rounded ||
                  (found.window == 1 && segment <= half_a_packet));
        if (ranks == 1)
            RC_ASSERT(found.window == alone.window && found.segment_bytes == alone.segment_bytes);
    }));
    // A window of 15 segments of three packets: eight of two packets for each of two ranks; for 24
    // ranks one segment of one packet.
    const LinkNetwork links{{6e6, 1e-4, 65536}, {}};
    const auto two = paced_parameters(links, on("12x2"), 65536);
    EXPECT_EQ(two.segment_bytes, 2800U);
    EXPECT_EQ(two.window, 8);
    const auto many = paced_parameters(links, on("12x24"), 65536);
    EXPECT_EQ(many.segment_bytes, 1400U);
    EXPECT_EQ(many.window, 1);
    EXPECT_EQ(paced_parameters(links, on("1x24"), 65536).window, 0) << "no port is crossed";
    // Nine blocks for each of the other host's ranks come into one port.
    EXPECT_EQ(paced_parameters(links, on("2x3"), 7000).window, 0);
    EXPECT_GT(paced_parameters(links, on("2x3"), 8000).window, 0);
    EXPECT_EQ(paced_parameters(links, on("6"), 8000).window, 0);
}

TEST(PredictHosts, WithoutANetworkTheyShareTheDefaultWindow) {
    const auto text = [](const char* clusters, std::uint64_t size_bytes) {
        auto found = resolve({Collective::alltoall, on(clusters), size_bytes}, nullptr,
                             {.choice = *parse_choice("alltoall.paced")});
        return text_of(*found);
    };
    EXPECT_EQ(text("6x2", 65536), "alltoall.paced segment=1400 window=8 inter_cluster_window=10");
    EXPECT_EQ(text("2x6", 65536), "alltoall.paced segment=1400 window=3 inter_cluster_window=3");
    EXPECT_EQ(text("12", 5000), "alltoall.paced") << "11 blocks for one port";
    EXPECT_EQ(text("2x6", 1800), "alltoall.paced") << "36 blocks";
    EXPECT_NE(text("2x6", 2000), "alltoall.paced");
    EXPECT_EQ(text("1x12", 65536), "alltoall.paced") << "none crosses";
}

TEST(PredictHosts, GatherWindowsCountSendersThatCrossTheRootsPort) {
    const auto network = [](double buffer_bytes) {
        Network made;
        made.links = LinkNetwork{{6e6, 0, buffer_bytes}, {}};
        return made;
    };
    const auto window = [&](double buffer_bytes, const char* clusters, int root) {
        return gather_windows(network(buffer_bytes), **find_algorithm("gather.windowed"),
                              on(clusters), 10000, root)
            .window;
    };
    EXPECT_EQ(window(40000, "2x4", 0), 7) << "the other four fit, so that none waits";
    EXPECT_EQ(window(10000, "2x4", 0), window(10000, "5", 0));
    EXPECT_LT(window(10000, "2x4", 0), 4);
    EXPECT_EQ(window(20000, "1x5/2", 4), 6) << "two are elsewhere";
    EXPECT_EQ(window(20000, "1x5/2", 6), 2) << "six are";
    EXPECT_EQ(window(10000, "1x8", 0), 0) << "no limit";
}

/// Estimated from simulations of at most `most_messages`.
Result<CallTime> estimated(const char* algorithm, const char* clusters, std::uint64_t size_bytes,
                           double most_messages) {
    const auto network = hosts_network();
    const auto places = on(clusters);
    return predict_algorithm(network, **find_algorithm(algorithm),
                             Specification::of(Collective::alltoall, places.ranks(), 0, size_bytes),
                             places, {}, **algorithm_model("links"),
                             {.most_messages = most_messages, .estimate = true});
}

TEST(PredictHosts, ExtrapolationsKeepRanksPerHostWhereTheyCan) {
    const auto method = [](const char* clusters, double most_messages) {
        const auto predicted = estimated("alltoall.rotated", clusters, 1000, most_messages);
        return predicted ? predicted->method : predicted.error().message;
    };
    EXPECT_EQ(method("16x4", 1200), "extrapolated from n = 4x4 and 8x4");
    EXPECT_EQ(method("8x4+8x4", 1200), "extrapolated from n = 2x4+2x4 and 4x4+4x4");
    EXPECT_EQ(method("64", 1200), "extrapolated from n = 16 and 31");
    EXPECT_EQ(method("4x16", 600), "extrapolated from n = 4x2 and 4x5");
    EXPECT_EQ(method("16x16", 1200), "extrapolated from n = 3x5, 6x2 and 6x5");
    EXPECT_NE(method("1x64", 600).find("too few ranks can be simulated"), std::string::npos)
        << "there is no port";
}

TEST(PredictHosts, ExtrapolationsComeToWhatIsSimulated) {
    for (const char* clusters : {"4x32", "12x12", "32x4", "100", "4x16+4x16"})
        for (const std::uint64_t size_bytes : {64, 2000})
            for (const char* algorithm : {"alltoall.pairwise", "alltoall.host_leader"}) {
                if (std::string_view(clusters) == "100" && algorithm[9] == 'h')
                    continue; // one rank on each
                const auto few = estimated(algorithm, clusters, size_bytes, 2000),
                           all = estimated(algorithm, clusters, size_bytes, 1e6);
                ASSERT_TRUE(few && all);
                EXPECT_EQ(all->method, "simulated");
                EXPECT_NEAR(few->time_s.value / all->time_s.value, 1,
                            size_bytes < 1000 ? 0.3 : 0.15)
                    << algorithm << " of " << size_bytes << " B on " << clusters << ", "
                    << few->method;
            }
}

TEST(PredictHosts, IntervalsOfExtrapolationsCoverWhatIsSimulated) {
    int inside = 0, calls = 0;
    for (const char* clusters : {"4x32", "12x12", "32x4", "4x16+4x16"})
        for (const std::uint64_t size_bytes : {64, 2000})
            for (const char* algorithm : {"alltoall.bruck", "alltoall.host_leaders",
                                          "alltoall.host_shared", "alltoall.rotated"}) {
                const auto few = estimated(algorithm, clusters, size_bytes, 2000),
                           all = estimated(algorithm, clusters, size_bytes, 1e6);
                ASSERT_TRUE(few && all);
                const auto interval = few->time_s;
                const double time_s = all->time_s.value;
                inside += 0.999 * interval.low <= time_s && time_s <= 1.001 * interval.high;
                ++calls;
            }
    EXPECT_GE(inside, 0.9 * calls) << inside << " of " << calls;
}

TEST(PredictHosts, CorrectionsAreOfAsManyRanksPerHost) {
    auto network = hosts_network();
    const auto measured = on("4x2");
    SimulationCache simulations;
    std::vector<RepeatedCall> calls;
    for (std::uint64_t m = 1024; m <= 1 << 17; m *= 2) {
        const double time_s = 1e-3 + 20e-8 * static_cast<double>(m);
        RepeatedCall call;
        call.clusters = measured;
        call.size_bytes = m;
        call.times_s = {time_s, 1.01 * time_s, 0.99 * time_s};
        calls.push_back(std::move(call));
        network.library.push_back(
            {Collective::alltoall, measured, m, Estimate::exact(time_s), "mpi"});
    }
    const auto of = CorrectedCalls::on(measured, {Collective::alltoall}, true);
    EXPECT_EQ(of.text(), "the library's alltoall on one cluster with 2 ranks per host");
    const auto correction = fit_correction(of, medians_of(calls), network,
                                           baselines_of(of, network, measured), simulations);
    ASSERT_TRUE(correction) << correction.error().message;
    EXPECT_EQ(correction->baseline().model->name, "links");
    // As a reader makes it that knows nothing of ranks per host.
    const CorrectedCalls plain{{Collective::alltoall}, true, false};
    network.corrections.emplace_back(plain, correction->baseline(), correction->calls(),
                                     correction->fit());
    const auto known = [&](const char* clusters) {
        return library_known(network, Collective::alltoall, on(clusters), 4096);
    };
    EXPECT_TRUE(known("4x2"));
    EXPECT_TRUE(known("3x2"));
    EXPECT_FALSE(known("8"));
    EXPECT_FALSE(known("2x4"));
    const auto predicted = predict_library(network, Collective::alltoall, on("3x2"), 4096);
    ASSERT_TRUE(predicted) << predicted.error().message;
    EXPECT_NE(predicted->model.find("corrected by"), std::string::npos);
    const auto refused = predict_library(network, Collective::alltoall, on("2x4"), 4096);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "the MPI library's own alltoall was not measured on one "
                                       "cluster with 4 ranks per host");
    EXPECT_TRUE(evaluate(network, Collective::alltoall, measured, 4096, {}));
    EXPECT_FALSE(evaluate(network, Collective::alltoall, on("2x4"), 4096, {}));
    const auto ranking = rank(network, Collective::alltoall, on("2x4"), 4096);
    ASSERT_TRUE(ranking);
    EXPECT_FALSE(library_choice(*ranking));
    for (const auto& candidate : ranking->candidates)
        EXPECT_EQ(candidate.model, "links");
}

} // namespace
} // namespace alltold

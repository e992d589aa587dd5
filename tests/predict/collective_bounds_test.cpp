// SPDX-License-Identifier: BSD-3-Clause
// Bounds by hand, and that no simulated schedule beats its bound.
#include "predict/bounds/bounds.hpp"

#include <map>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "networks.hpp"
#include "predict/parameters/resolve.hpp"
#include "random_calls.hpp"
#include "simulate/simulate.hpp"

namespace alltold {
namespace {

using namespace test;
using enum Collective;

/// Ports of 1 MB/s, and a backbone of 500 kB/s and 10 ms where there are several clusters.
double bound_s(Collective collective, std::string_view clusters, std::uint64_t size_bytes) {
    const auto all = on(clusters);
    return collective_bound_s(Specification::of(collective, all.ranks(), 0, size_bytes), all, 1e6,
                              Backbone{5e5, 10e-3});
}

TEST(CollectiveBounds, CountWhatOneClustersPortsMustMove) {
    EXPECT_DOUBLE_EQ(bound_s(allgather, "6", 1000), 5e-3);
    EXPECT_DOUBLE_EQ(bound_s(reduce_scatter_block, "6", 1000), 5e-3);
    EXPECT_DOUBLE_EQ(bound_s(allreduce, "4", 1000), 1.5e-3);
    EXPECT_DOUBLE_EQ(bound_s(allreduce, "2", 1000), 1e-3);
    for (const auto collective : {bcast, reduce, scan, exscan})
        EXPECT_DOUBLE_EQ(bound_s(collective, "6", 1000), 1e-3);
}

TEST(CollectiveBounds, AreOfHosts) {
    EXPECT_DOUBLE_EQ(bound_s(allgather, "2x3", 1000), 3e-3);
    EXPECT_DOUBLE_EQ(bound_s(reduce_scatter_block, "2x3", 1000), 3e-3);
    EXPECT_DOUBLE_EQ(bound_s(allgather, "4/1", 1000), 4e-3) << "into the host of one rank";
    EXPECT_DOUBLE_EQ(bound_s(allreduce, "4x3", 1000), 1.5e-3);
    for (const auto collective : {bcast, reduce, scan, exscan})
        EXPECT_DOUBLE_EQ(bound_s(collective, "2x3", 1000), 1e-3);
    for (const auto collective :
         {allgather, reduce, allreduce, reduce_scatter_block, scan, barrier})
        EXPECT_EQ(bound_s(collective, "1x6", 1000), 0) << name_of(collective);
}

TEST(CollectiveBounds, CountWhatMustCrossTheBackbone) {
    EXPECT_DOUBLE_EQ(bound_s(allgather, "2+4", 1000), 4 * 2e-3 + 10e-3) << "into the smaller one";
    EXPECT_DOUBLE_EQ(bound_s(reduce_scatter_block, "2+4", 1000), 4 * 2e-3 + 10e-3);
    EXPECT_DOUBLE_EQ(bound_s(reduce, "3+3", 1000), 2e-3 + 10e-3);
    EXPECT_DOUBLE_EQ(bound_s(allreduce, "3+3", 1000), 2e-3 + 10e-3);
    EXPECT_DOUBLE_EQ(bound_s(allreduce, "3+3+3+3", 1000), 1.5 * 2e-3 + 10e-3);
    EXPECT_DOUBLE_EQ(bound_s(scan, "3+3", 1000), 2e-3 + 10e-3);
    EXPECT_DOUBLE_EQ(bound_s(barrier, "3+3", 0), 10e-3);
}

/// Ports of 1 MB/s in the first cluster and 250 kB/s in the second.
double bound_of_two_s(Collective collective, std::string_view clusters, std::uint64_t size_bytes) {
    const auto all = on(clusters);
    return collective_bound_s(Specification::of(collective, all.ranks(), 0, size_bytes), all,
                              ClusterRates(250e3, {1e6, 250e3}), Backbone{INFINITY, 10e-3});
}

TEST(CollectiveBounds, AreOfTheBusiestPortAtItsOwnRate) {
    EXPECT_DOUBLE_EQ(bound_of_two_s(alltoall, "4+2", 1000), 5 * 4e-3);
    EXPECT_DOUBLE_EQ(bound_of_two_s(bcast, "4+2", 1000), 10e-3) << "the backbone's latency";
    EXPECT_DOUBLE_EQ(bound_of_two_s(bcast, "4+2", 10'000), 40e-3);
    EXPECT_DOUBLE_EQ(bound_of_two_s(gather, "4+2", 10'000), 50e-3) << "into a quick root";
    EXPECT_DOUBLE_EQ(bound_of_two_s(gather, "1+2", 10'000), 40e-3) << "out of slow hosts";
    EXPECT_DOUBLE_EQ(bound_of_two_s(allgather, "4+1x3", 10'000), 160e-3);
    // A sixth of 10 messages is sent by each on average, at a mean of 750 kB/s.
    EXPECT_DOUBLE_EQ(bound_of_two_s(allreduce, "5+1", 60'000), 240e-3);
    EXPECT_DOUBLE_EQ(bound_of_two_s(allreduce, "5+3", 60'000),
                     std::max(240e-3, 14. / 8 * 60e3 / (5750e3 / 8)));
}

TEST(CollectiveBounds, OfSubsetsAreOfTheirOwnClusters) {
    Network network = joined_network();
    network.links->of_clusters = on("2+3");
    network.links->ports = {network.links->port, network.links->port};
    network.links->ports[1].goodput_bytes_per_s /= 4;
    const auto bytes_s = [&](std::string_view clusters) {
        const auto all = on(clusters);
        return bound_parts(Specification::of(alltoall, all.ranks(), 0, 1000), all, network).bytes_s;
    };
    EXPECT_DOUBLE_EQ(bytes_s("3"), 4 * bytes_s("2") * 2) << "three hosts are in the second alone";
    network.links->of_clusters = on("3+3");
    EXPECT_DOUBLE_EQ(bytes_s("3"), bytes_s("2") * 2);
}

TEST(CollectiveBounds, OfPathsCountUplinksAndOwnLinks) {
    Network network = joined_network();
    auto& links = *network.links;
    links.of_clusters = on("2+2+2");
    const double rate = links.backbone->goodput_bytes_per_s;
    links.paths.resize(3, *links.backbone);
    const auto one = backbone_of(network, on("2+2+2"));
    EXPECT_EQ(one->goodput_bytes_per_s.of(0), rate);
    links.paths[0].goodput_bytes_per_s = rate / 4; // between the first two
    links.paths[0].latency_s /= 2;
    const auto each = backbone_of(network, on("2+2+2"));
    EXPECT_DOUBLE_EQ(each->goodput_bytes_per_s.of(0), 1.25 * rate);
    EXPECT_DOUBLE_EQ(each->goodput_bytes_per_s.of(2), rate);
    EXPECT_DOUBLE_EQ(each->latency_s, links.backbone->latency_s / 2);
    EXPECT_DOUBLE_EQ(backbone_of(network, on("2+2"))->goodput_bytes_per_s.of(1), rate / 4);
}

TEST(CollectiveBounds, OfNoBytesAreNone) {
    for (const auto collective : {bcast, allgather, reduce, allreduce, reduce_scatter_block})
        EXPECT_EQ(bound_s(collective, "3+3", 0), 0) << name_of(collective);
    EXPECT_EQ(bound_s(allreduce, "1", 1000), 0);
}

TEST(CollectiveBounds, OfABarrierAreLatencies) {
    const auto bound = [](const Network& network, std::string_view clusters) {
        const auto all = on(clusters);
        return collective_bound_s(Specification::of(barrier, all.ranks(), 0, 0), all, network);
    };
    EXPECT_DOUBLE_EQ(bound(joined_network(), "6"), 100e-6);
    EXPECT_DOUBLE_EQ(bound(joined_network(), "3+3"), 100e-6 + 10e-3);
    EXPECT_EQ(bound(joined_network(), "1x6"), 0);
    EXPECT_EQ(bound(Network{}, "6"), 0);
}

/// Links that lose nothing and have neither bursts nor start-ups, so that bounds are as near as can
/// be.
Network lossless_network(Random& random) {
    Network network;
    network.links.emplace();
    network.links->port = {1e6 * static_cast<double>(1 + random.index(9)), 20e-6};
    network.links->backbone = Link{5e5 * static_cast<double>(1 + random.index(20)), 1e-3};
    network.links->memory = LinkNetwork::Memory{1e-6, 1e9, 4e9};
    return network;
}

/// Hosts of one to three ranks in one to three clusters.
Clusters random_hosts(Random& random) {
    std::vector<std::vector<int>> hosts(1 + random.index(3));
    for (auto& cluster : hosts)
        for (std::size_t host = 0; host <= random.index(4); ++host)
            cluster.push_back(1 + static_cast<int>(random.index(3)));
    return Clusters::of_hosts(hosts);
}

TEST(CollectiveBounds, AreNotBeatenByAnySimulatedSchedule) {
    Random random(2009);
    std::map<Collective, int> checked;
    for (int i = 0; i < 60; ++i) {
        const auto network = lossless_network(random);
        const auto clusters = random_hosts(random);
        const auto size_bytes = 1 + random.index(1 << (4 * random.index(5)));
        for (const auto* algorithm : registry()) {
            const int root = algorithm->rooted()
                                 ? static_cast<int>(random.index(std::size_t(clusters.ranks())))
                                 : 0;
            const auto choice = resolve({algorithm->collective, clusters, size_bytes, root},
                                        &network, {.choice = Choice{algorithm}});
            if (!choice || !algorithm->suits_hosts(clusters))
                continue;
            const auto specification =
                Specification::of(algorithm->collective, clusters.ranks(), root, size_bytes);
            const auto graph =
                simulate::EventGraph::of(*algorithm, specification, choice->parameters);
            ASSERT_TRUE(graph) << graph.error().message;
            const auto times = simulate::run(*graph, *network.links, clusters);
            ASSERT_TRUE(times) << times.error().message;
            ++checked[algorithm->collective];
            EXPECT_GE(times->time_s * (1 + 1e-9),
                      collective_bound_s(specification, clusters, network))
                << alltold::text_of(*choice) << " on " << clusters.text() << ", root " << root
                << ", " << size_bytes << " bytes";
        }
    }
    for (const auto collective : predicted_collectives())
        EXPECT_GT(checked[collective], 40) << name_of(collective);
}

TEST(CollectiveBounds, AreReachedByARing) {
    Network network;
    network.links.emplace();
    network.links->port = {1e6, 20e-6};
    const Clusters clusters({8});
    const auto specification = Specification::of(allgather, 8, 0, 1 << 20);
    const auto graph =
        simulate::EventGraph::of(**find_algorithm("allgather.ring"), specification, {});
    const auto times = simulate::run(*graph, *network.links, clusters);
    EXPECT_LT(times->time_s, 1.01 * collective_bound_s(specification, clusters, network));
}

} // namespace

TEST(BusiestPort, TakesWhatLeavesOrReachesItsHost) {
    const auto busiest = [](const char* name, const char* hosts) {
        const auto clusters = *Clusters::parse(hosts);
        const auto* const algorithm = *find_algorithm(name);
        const auto call = *simulate::EventGraph::of(
            *algorithm, Specification::of(algorithm->collective, clusters.ranks(), 0, 1000), {});
        return busiest_port_s(call, clusters, 1.);
    };
    for (const auto* hosts : {"8", "4x2", "2x4"})
        EXPECT_EQ(busiest("bcast.chain", hosts), 1000) << hosts;
    EXPECT_EQ(busiest("bcast.flat", "8"), 7000);
    EXPECT_EQ(busiest("bcast.flat", "4x2"), 6000);
    EXPECT_EQ(busiest("bcast.flat", "1x8"), 0);
    EXPECT_EQ(busiest("alltoall.direct", "4x2"), 12000);
}

} // namespace alltold

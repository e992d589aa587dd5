// SPDX-License-Identifier: BSD-3-Clause
// The plan: every host in a ping-pong, intra- and inter-cluster pairs, subsets that exist.
#include "campaign/plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "campaign/engine/ranks.hpp"
#include "campaign/probe.hpp"
#include "network/collective_probe.hpp"
#include "schedule/algorithms/algorithm.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

std::vector<Point> plan_of(const std::string& clusters, const Request& request = {}) {
    auto plan = make_plan(*Clusters::parse(clusters), request);
    EXPECT_TRUE(plan);
    return *plan;
}

Request roughly(bool rough) {
    Request request;
    request.rough = rough;
    return request;
}

Request on(const char* subsets) {
    Request request;
    request.subsets = *parse_subsets(subsets);
    return request;
}

std::set<std::string> subsets_of(const std::vector<Point>& plan) {
    std::set<std::string> subsets;
    for (const auto& point : plan)
        if (point.probe == "alltoall")
            subsets.insert(point.clusters.text());
    return subsets;
}

} // namespace

TEST(Plan, HasEveryHostInAPairAndNoPointTwice) {
    EXPECT_TRUE(rc::check("up to 32 hosts", [] {
        auto sizes = *rc::gen::container<std::vector<int>>(3, rc::gen::inRange(1, 11));
        sizes.resize(static_cast<std::size_t>(*rc::gen::inRange(1, 4)));
        const Clusters world(sizes);
        RC_PRE(world.ranks() >= 2);
        const auto plan = *make_plan(world, {});
        std::set<int> paired;
        std::set<std::string> seen;
        for (const auto& point : plan) {
            RC_ASSERT(seen.insert(describe(point)).second);
            for (const int rank : ranks_of(point, world))
                RC_ASSERT(rank >= 0 && rank < world.ranks());
            if (point.probe == "pingpong") {
                const bool local =
                    world.cluster_of(point.first_rank) == world.cluster_of(point.second_rank);
                RC_ASSERT((point.clusters.count() == 1) == local);
                paired.insert(point.first_rank);
                paired.insert(point.second_rank);
            }
        }
        if (world.count() == 1)
            RC_ASSERT(paired.size() == static_cast<std::size_t>(world.ranks()));
        RC_ASSERT(!paired.empty());
    }));
}

TEST(Plan, LongMessagesAloneDoNotShowTheLatency) {
    for (const bool rough : {false, true}) {
        auto request = roughly(rough);
        request.sizes_bytes = {65536, 1048576};
        const auto plan = plan_of("4", request);
        EXPECT_TRUE(std::ranges::any_of(plan, [](const Point& point) {
            return point.probe == "pingpong" && point.size_bytes == 1;
        })) << rough;
        request.sizes_bytes = {64, 65536};
        EXPECT_TRUE(std::ranges::none_of(plan_of("4", request), [](const Point& point) {
            return point.probe == "pingpong" && point.size_bytes == 1;
        })) << rough;
    }
}

TEST(Plan, ExchangesWithinEveryClusterOfTwoHostsOrMore) {
    const Clusters world({5, 1, 4, 4});
    std::map<int, std::set<std::uint64_t>> sizes_within;
    for (const auto& point : plan_of(world.text())) {
        if (point.probe != "within:alltoall")
            continue;
        const auto ranks = ranks_of(point, world);
        const int cluster = world.cluster_of(ranks.front());
        EXPECT_EQ(ranks.size(), static_cast<std::size_t>(world.size(cluster)));
        for (const int rank : ranks)
            EXPECT_EQ(world.cluster_of(rank), cluster);
        EXPECT_EQ(point.algorithm, "mpi");
        sizes_within[cluster].insert(point.size_bytes);
    }
    ASSERT_EQ(sizes_within.size(), 2U);
    EXPECT_GE(sizes_within[2].size(), 4U) << "a signature needs four";
    EXPECT_EQ(sizes_within[2], sizes_within[3]);
    EXPECT_EQ(alltoalls_within(world).size(), 3 * sizes_within[2].size());
    for (const auto& point : plan_of(world.text(), {{}, {}, {}, {"bcast"}}))
        EXPECT_NE(point.probe, "within:alltoall");
}

TEST(Plan, RoughlyKnowsEveryClusterAndEveryPathBetweenThem) {
    EXPECT_TRUE(rc::check("up to 5 clusters", [] {
        auto sizes = *rc::gen::container<std::vector<int>>(5, rc::gen::inRange(1, 9));
        sizes.resize(static_cast<std::size_t>(*rc::gen::inRange(1, 6)));
        const Clusters world(sizes);
        RC_PRE(world.ranks() >= 2);
        const auto plan = *rough_network_plan(world);
        std::set<std::string> seen;
        std::set<int> local, trains;
        std::set<std::pair<int, int>> inter_cluster, flows, flooded;
        std::set<int> ports;
        for (const auto& point : plan) {
            RC_ASSERT(seen.insert(describe(point)).second);
            for (const int rank : ranks_of(point, world))
                RC_ASSERT(rank >= 0 && rank < world.ranks());
            // Neither size is that of a message that crosses the network: the largest a search may
            // try, and what one rank combines.
            if (point.probe != "eager" && point.probe != "combine")
                RC_ASSERT(point.size_bytes * static_cast<std::uint64_t>(std::max(1, point.count)) <=
                          128 << 10);
            const int a = world.cluster_of(std::max(0, point.first_rank));
            const int b = world.cluster_of(std::max(0, point.second_rank));
            if (point.probe == "pingpong" && point.size_bytes == 1)
                a == b ? void(local.insert(a)) : void(inter_cluster.emplace(a, b));
            if (point.probe == "train")
                trains.insert(a);
            if (point.probe == "flows")
                flows.emplace(a, point.first_rank < 0 ? 1 : b);
            if (point.probe == "port_floods")
                for (int c = 0; c < world.count(); ++c)
                    if (point.clusters.size(c) > 1)
                        ports.insert(c);
            if (point.probe == "path_floods")
                for (int c = 0; c < world.count(); ++c)
                    flooded.insert(std::minmax(c, (c + point.count) % world.count()));
        }
        // A host of another cluster helps where no cluster has three hosts.
        const auto hosts = world.sizes();
        const auto helped = std::ranges::max(hosts) == 2 && world.count() > 1
                                ? std::ranges::find(hosts, 2) - hosts.begin()
                                : -1;
        for (int c = 0; c < world.count(); ++c) {
            RC_ASSERT(local.count(c) == (world.size(c) >= 2 ? 1U : 0U));
            RC_ASSERT(ports.count(c) == (world.size(c) >= 3 || c == helped ? 1U : 0U));
            RC_ASSERT(world.size(c) != 2 || trains.count(c) == 1U);
            for (int d = c + 1; d < world.count(); ++d)
                for (const auto* pairs : {&inter_cluster, &flows, &flooded})
                    RC_ASSERT(pairs->count({c, d}) == 1U);
        }
        RC_ASSERT(!trains.empty());
        RC_ASSERT(plan.front().probe == "pingpong" && plan.front().size_bytes == 1U);
    }));
}

TEST(Plan, all_pairs_of_up_to_100_hosts_meet) {
    const auto meet = [](const Clusters& world) {
        const auto plan = *rough_network_plan(world);
        return std::ranges::count(plan, "latencies", &Point::probe);
    };
    EXPECT_EQ(meet(Clusters({2})), 0);
    EXPECT_EQ(meet(Clusters({2, 1})), 1);
    EXPECT_EQ(meet(Clusters({50, 50})), 1);
    EXPECT_EQ(meet(Clusters({101})), 0);
}

TEST(Plan, roughly_takes_first_what_models_cannot_do_without) {
    std::vector<std::string> order; // without repeats
    const auto plan = rough_network_plan(Clusters({6, 6}));
    ASSERT_TRUE(plan);
    for (const auto& point : *plan) {
        const auto name =
            point.probe == "pingpong" && point.size_bytes > 1024 ? "long pingpong" : point.probe;
        if (std::ranges::find(order, name) == order.end())
            order.push_back(name);
    }
    const auto place_of = [&](const char* name) { return std::ranges::find(order, name); };
    for (const auto& [sooner, later] : {std::pair{"pingpong", "train"},
                                        {"train", "port_floods"},
                                        {"port_floods", "path_floods"},
                                        {"path_floods", "long pingpong"},
                                        {"long pingpong", "plogp.send"},
                                        {"plogp.send", "flows"},
                                        {"flows", "eager"}}) {
        EXPECT_NE(place_of(later), order.end()) << later;
        EXPECT_LT(place_of(sooner), place_of(later)) << sooner << ", " << later;
    }
}

/// The hosts of the flood from one cluster to all others; empty if there is none.
std::string uplink_flood(const Clusters& world) {
    const auto plan = *rough_network_plan(world);
    for (const auto& point : plan)
        if (point.probe == "path_floods" && point.count == 0)
            return point.clusters.text();
    return "";
}

TEST(Plan, FloodsAnUplinkThatNoTwoClustersCanFill) {
    EXPECT_EQ(uplink_flood(Clusters({1, 1, 1, 6})), "1+1+1+3");
    EXPECT_EQ(uplink_flood(Clusters({2, 7, 1, 2})), "2+5+1+2");
    EXPECT_EQ(uplink_flood(Clusters({2, 1, 1, 1})), "2+1+1+1");
    EXPECT_EQ(uplink_flood(Clusters({1, 4, 3, 3})), "1+4+2+1");
    EXPECT_EQ(uplink_flood(Clusters({5, 5, 1})), "") << "two clusters offer as much";
    EXPECT_EQ(uplink_flood(Clusters({6, 3})), "") << "there is no other cluster";
}

TEST(Plan, NamesTheRanksOfClustersThatAreNotTheFirst) {
    const Clusters world({4, 8, 4});
    const Point path{"flows", "mpi", Clusters({2, 2}), 64, 4, 12, 8};
    EXPECT_EQ(ranks_of(path, world), (std::vector<int>{4, 5, 12, 13}));
    EXPECT_EQ(describe(path), "flows n = 2+2 from 4-12, 64 B, count 8");
    EXPECT_EQ(ranks_of({"copy", "mpi", Clusters({1}), 64, 5}, world), std::vector<int>{5});
    EXPECT_EQ(ranks_of({"pingpong", "mpi", Clusters({2}), 64, 4, 7}, world),
              (std::vector<int>{4, 7}));
}

TEST(Plan, TakesSingleClustersAndBothTogether) {
    EXPECT_EQ(subsets_of(plan_of("12")), (std::set<std::string>{"4", "5", "6", "8", "12"}));
    EXPECT_EQ(subsets_of(plan_of("6+6")),
              (std::set<std::string>{"4", "6", "2+2", "2+3", "4+4", "6+6"}));
    std::set<std::pair<int, int>> pairs;
    for (const auto& point : plan_of("6+6"))
        if (point.probe == "pingpong")
            pairs.emplace(point.first_rank, point.second_rank);
    EXPECT_EQ(pairs,
              (std::set<std::pair<int, int>>{
                  {0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {0, 6}, {1, 7}, {2, 8}}));
}

TEST(Plan, MeasuresTheNetworkBetweenTheLowestRanksOfHosts) {
    EXPECT_TRUE(rc::check("up to 3 clusters of 4 hosts", [] {
        const auto ranks = *rc::gen::container<std::vector<std::vector<int>>>(
            *rc::gen::inRange(1, 4),
            rc::gen::container<std::vector<int>>(4, rc::gen::inRange(1, 5)));
        const auto world = Clusters::of_hosts(ranks);
        const bool rough = *rc::gen::arbitrary<bool>();
        const auto plan = *make_plan(world, roughly(rough));
        // Those of one rank per host, which then have other ranks, and others within hosts.
        const auto network = *make_plan(world.leaders(), roughly(rough));
        std::vector<std::vector<int>> between, expected;
        for (const auto& point : plan) {
            const auto members = ranks_of(point, world);
            if (probe_of(point).within_hosts)
                continue;
            between.push_back(members);
            std::set<int> hosts;
            for (const int rank : members) {
                hosts.insert(world.host_of(rank));
                RC_ASSERT(rank == world.first_of_host(world.host_of(rank)));
            }
            RC_ASSERT(hosts.size() == members.size());
        }
        for (const auto& point : network)
            if (!probe_of(point).within_hosts) {
                auto& members = expected.emplace_back(ranks_of(point, world.leaders()));
                for (int& member : members)
                    member = world.first_of_host(member);
            }
        RC_ASSERT(between == expected);
    }));
}

TEST(Plan, RunsCollectivesOnAllRanksOfTheHostsItTakes) {
    EXPECT_EQ(subsets_of(plan_of("6x4/6x2")),
              (std::set<std::string>{"4x4", "6x4", "6x4/2x2", "6x4/6x2"}));
    EXPECT_EQ(subsets_of(plan_of("3x2+1x3/2x1")),
              (std::set<std::string>{"2x2", "3x2", "1x2+1x3", "2x2+1x3/1", "3x2+1x3/2"}));
    const auto world = *Clusters::parse("2x3/1x2+2x4");
    EXPECT_EQ(ranks_of({"alltoall", "mpi", *Clusters::parse("2x3+1x4"), 64}, world),
              (std::vector<int>{0, 1, 2, 3, 4, 5, 8, 9, 10, 11}));
    EXPECT_EQ(ranks_of({"alltoall", "mpi", *Clusters::parse("3+1x2"), 64}, world),
              (std::vector<int>{0, 3, 6, 8, 9}));
    EXPECT_TRUE(make_plan(world, on("3+2,2x3+2x2")));
    EXPECT_FALSE(make_plan(world, on("3x3")));
}

TEST(Plan, CopiesWithinTheHostWithTheMostRanks) {
    for (const bool rough : {false, true}) {
        std::map<std::string, std::set<std::string>> within;
        for (const auto& point : plan_of("1/2x5+1x3", roughly(rough)))
            if (point.probe.starts_with("memory"))
                within[point.probe].insert(describe(point));
        EXPECT_EQ(within["memory"],
                  (std::set<std::string>{"memory 1-2, 1 B", "memory 1-2, 4 KiB",
                                         "memory 1-2, 64 KiB", "memory 1-2, 1 MiB"}));
        ASSERT_EQ(within["memory_shared"].size(), 4U);
        EXPECT_TRUE(within["memory_shared"].contains("memory_shared n = 1x4 from 1, 4 KiB"));
    }
    const Point shared{"memory_shared", "mpi", *Clusters::parse("1x4"), 64, 1};
    EXPECT_EQ(ranks_of(shared, *Clusters::parse("1/2x5")), (std::vector<int>{1, 2, 3, 4}));
    for (const auto& point : plan_of("6+6"))
        EXPECT_FALSE(point.probe.starts_with("memory"));
}

TEST(Plan, OfASingleHostHasNoNetwork) {
    for (const auto& point : plan_of("1x4"))
        EXPECT_TRUE(probe_of(point).within_hosts) << describe(point);
    EXPECT_EQ(rough_network_plan(*Clusters::parse("1x4"))->size(), 8U + 6U)
        << "messages in memory, and combining";
}

TEST(Plan, CombinesOnceOnOneRank) {
    for (const char* world : {"1x4", "6+6"})
        for (const bool rough : {false, true}) {
            std::set<std::uint64_t> sizes;
            for (const auto& point : plan_of(world, roughly(rough)))
                if (point.probe == "combine") {
                    EXPECT_EQ(ranks_of(point, *Clusters::parse(world)), std::vector{0});
                    EXPECT_TRUE(sizes.insert(point.size_bytes).second);
                }
            EXPECT_EQ(sizes, (std::set<std::uint64_t>{1 << 10, 4 << 10, 16 << 10, 64 << 10,
                                                      256 << 10, 1 << 20}));
        }
}

TEST(Plan, TakesEveryCollectiveThatIsNamed) {
    for (const auto collective : uniform_collectives) {
        std::set<std::uint64_t> sizes;
        bool library = false, ours = false;
        Request request{{"collectives"}, {}, {}, {std::string(name_of(collective))}};
        if (traits_of(collective).has_data)
            request.sizes_bytes = {64};
        for (const auto& point : plan_of("6+6", request)) {
            if (!point.probe.starts_with("within:")) {
                EXPECT_EQ(point.probe, name_of(collective));
            }
            sizes.insert(point.size_bytes);
            (point.algorithm == "mpi" ? library : ours) = true;
        }
        EXPECT_TRUE(library) << name_of(collective);
        EXPECT_EQ(ours, std::ranges::any_of(
                            registry(),
                            [&](const Algorithm* row) { return row->collective == collective; }))
            << name_of(collective);
        EXPECT_EQ(sizes, (std::set<std::uint64_t>{traits_of(collective).has_data ? 64U : 0U}));
    }
    for (const auto& point : plan_of("6+6"))
        if (const auto probe = CollectiveProbe::parse(point.probe)) {
            EXPECT_NE(std::ranges::find(papers_collectives, probe->collective),
                      papers_collectives.end())
                << "by default: " << describe(point);
        }
}

TEST(Plan, MapsSubsetsToRanks) {
    const Point point{"alltoall", "mpi", Clusters({2, 1}), 64, -1, -1};
    EXPECT_EQ(ranks_of(point, Clusters({6, 6})), (std::vector<int>{0, 1, 6}));
    EXPECT_EQ(describe(point), "alltoall n = 2+1, 64 B");
}

TEST(Plan, DoesWhatIsRequested) {
    const Request request{
        {"collectives"}, {64, 1024}, *parse_subsets("2,3+3"), {"alltoall"}, {"mpi"}};
    const auto plan = plan_of("6+6", request);
    EXPECT_EQ(plan.size(), 4U);
    EXPECT_EQ(subsets_of(plan), (std::set<std::string>{"2", "3+3"}));
}

/// "bcast.binomial at 3+3" for every point of a collective.
std::set<std::string> algorithms_of(const Request& request) {
    std::set<std::string> names;
    for (const auto& point : plan_of("6+6", request))
        if (point.first_rank < 0)
            names.insert(point.probe + " " + point.algorithm + " " + point.clusters.text());
    return names;
}

TEST(Plan, HasAlgorithmsOfOursWhereFitsLearn) {
    const auto names = algorithms_of({{"collectives"}, {}, {}});
    for (const auto* name :
         {"bcast bcast.binomial 2+3", "bcast bcast.chain_segmented segment=8KiB 4+4",
          "gather gather.windowed window=4 4+4", "gather gather.windowed window=8 4+4",
          "alltoall alltoall.lg 2+3"})
        EXPECT_TRUE(names.count(name)) << name;
    for (const auto* name : {"bcast bcast.binomial 6+6", "bcast bcast.binomial 4"})
        EXPECT_FALSE(names.count(name)) << name;
}

TEST(Plan, HasTheLibrarysOnAllHosts) {
    const auto names = algorithms_of({{"collectives"}, {1024}, *parse_subsets("4,6+6")});
    for (const auto* name :
         {"alltoall mpi 4", "alltoall mpi 6+6", "bcast mpi 6+6", "scatter mpi 6+6",
          "gather mpi 6+6", "bcast bcast.binomial 4", "bcast bcast.binomial 6+6",
          "bcast bcast.chain_segmented segment=8KiB 6+6", "gather gather.windowed window=12 6+6"})
        EXPECT_TRUE(names.count(name)) << name;
    EXPECT_FALSE(names.count("bcast mpi 4")) << "only the all-to-all on every set of hosts";
}

TEST(Plan, TakesRequestedAlgorithmsToTheirCollectives) {
    const auto subset = *parse_subsets("3+3");
    EXPECT_EQ(algorithms_of({{"collectives"},
                             {64},
                             subset,
                             {},
                             {"mpi", "bcast.chain_segmented segment=16KiB", "alltoall.lg"}}),
              (std::set<std::string>{"bcast mpi 3+3", "scatter mpi 3+3", "gather mpi 3+3",
                                     "alltoall mpi 3+3", "alltoall alltoall.lg 3+3",
                                     "bcast bcast.chain_segmented segment=16KiB 3+3"}));
    EXPECT_EQ(algorithms_of({{"collectives"}, {64}, subset, {}, {"allgather.bruck"}}),
              (std::set<std::string>{"allgather allgather.bruck 3+3"}))
        << "named, though not among those measured by default";
    EXPECT_EQ(algorithms_of({{"collectives"}, {64}, subset, {"scatter"}, {"scatter.flat"}}),
              (std::set<std::string>{"scatter scatter.flat 3+3"}));
    EXPECT_EQ(std::ssize(algorithms_of({{"collectives"}, {64}, subset, {"bcast"}, {"all"}})),
              1 + std::ranges::count_if(registry(),
                                        [](const Algorithm* row) {
                                            return row->collective == Collective::bcast &&
                                                   row->hosts != Algorithm::Use::must;
                                        }))
        << "and mpi";
}

TEST(Plan, RefusesWhatIsNotThere) {
    const auto message = [](const Request& request) {
        const auto plan = make_plan(Clusters({6, 6}), request);
        return plan ? std::string("accepted") : plan.error().message;
    };
    EXPECT_TRUE(message({{"p2p", "gossip"}, {}, {}})
                    .starts_with("--only: unknown kind 'gossip'; use one or more of p2p, "));
    for (const auto* subset : {"7", "1", "6+7", "2+2+2"})
        EXPECT_NE(message({{}, {}, *parse_subsets(subset)}).find("-n: '" + std::string(subset)),
                  std::string::npos)
            << subset;
    EXPECT_FALSE(parse_subsets("4,,6"));
    EXPECT_EQ(message({{}, {}, {}, {"alltoallv"}, {}}),
              "--collective: 'alltoallv' cannot be measured; use one or more of bcast, scatter, "
              "gather, alltoall, allgather, reduce, allreduce, reduce_scatter_block, scan, exscan, "
              "barrier");
    EXPECT_EQ(message({{}, {8}, {}, {"barrier"}, {}}), "-m: a barrier moves no data; leave it out");
    EXPECT_NE(message({{}, {}, {}, {}, {"bcast.pigeon"}}).find("--algorithm: "), std::string::npos);
    EXPECT_EQ(message({{}, {}, {}, {"bcast"}, {"alltoall.lg"}}),
              "--algorithm: alltoall.lg is not an algorithm for bcast");
}

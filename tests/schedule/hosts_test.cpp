// SPDX-License-Identifier: BSD-3-Clause
// Algorithms for several ranks per host: proved on random placements, with few messages between
// hosts, in turns of hosts.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "any_of.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {
using test::any_of;
namespace {

Clusters parsed(const char* text) {
    return *Clusters::parse(text);
}

/// One to three clusters of up to four hosts with up to seven ranks, some host with several.
Clusters some_hosts() {
    auto clusters = *rc::gen::container<std::vector<std::vector<int>>>(
        *any_of(1, 4), rc::gen::mapcat(any_of<std::size_t>(1, 5), [](std::size_t hosts) {
            return rc::gen::container<std::vector<int>>(hosts, any_of(1, 8));
        }));
    ++clusters.front().front();
    return Clusters::of_hosts(clusters);
}

/// A call that `algorithm` accepts on these hosts.
struct Call {
    Specification specification;
    Parameters parameters;
};

Call some_call(const Algorithm& algorithm, const Clusters& clusters) {
    using Use = Algorithm::Use;
    const int root = algorithm.rooted() ? *any_of(0, clusters.ranks()) : 0;
    Parameters parameters{.clusters = clusters};
    if (algorithm.segment != Use::no)
        parameters.segment_bytes = *any_of<std::uint64_t>(1, 40);
    if (algorithm.window != Use::no)
        parameters.window = *any_of(0, 5);
    if (algorithm.inter_cluster_window != Use::no)
        parameters.inter_cluster_window = *any_of(0, 5);
    return {Specification::of(algorithm.collective, clusters.ranks(), root,
                              *any_of<std::uint64_t>(0, 80)),
            parameters};
}

class AlgorithmByHosts : public testing::TestWithParam<const Algorithm*> {};

TEST_P(AlgorithmByHosts, IsProvedOnRandomHosts) {
    EXPECT_TRUE(rc::check([&] {
        const auto call = some_call(*GetParam(), some_hosts());
        const auto fault = check(call.specification,
                                 schedules_of(*GetParam(), call.specification, call.parameters));
        if (fault)
            RC_FAIL(call.parameters.clusters->text() + ": " + fault->text());
    }));
}

std::vector<const Algorithm*> algorithms_by_hosts() {
    std::vector<const Algorithm*> rows;
    for (const auto* row : registry())
        if (row->hosts != Algorithm::Use::no)
            rows.push_back(row);
    return rows;
}

INSTANTIATE_TEST_SUITE_P(Registry, AlgorithmByHosts, testing::ValuesIn(algorithms_by_hosts()),
                         [](const auto& row) {
                             std::string name(row.param->name);
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

TEST(ByHosts, PacedVectorsAreProvedOnRandomHosts) {
    const auto& paced = **find_algorithm("alltoall.paced");
    EXPECT_TRUE(rc::check([&] {
        const auto clusters = some_hosts();
        const auto pairs = static_cast<std::size_t>(clusters.ranks() * clusters.ranks());
        const auto sizes = *rc::gen::container<std::vector<std::uint64_t>>(
            pairs, rc::gen::weightedOneOf<std::uint64_t>(
                       {{1, rc::gen::just<std::uint64_t>(0)}, {2, any_of<std::uint64_t>(1, 100)}}));
        const auto specification = Specification::alltoallv(clusters.ranks(), sizes, 1);
        const Parameters parameters{.segment_bytes = *any_of<std::uint64_t>(10, 40),
                                    .window = *any_of(1, 5),
                                    .inter_cluster_window = *any_of(1, 5),
                                    .clusters = clusters};
        const auto fault = check(specification, schedules_of(paced, specification, parameters));
        if (fault)
            RC_FAIL(clusters.text() + ": " + fault->text());
    }));
}

using HostPair = std::pair<int, int>;

/// Messages between different hosts, by ordered pair of hosts.
std::map<HostPair, int> between_hosts(const Call& call, std::string_view name) {
    const auto& clusters = *call.parameters.clusters;
    const auto schedules =
        schedules_of(**find_algorithm(name), call.specification, call.parameters);
    std::map<HostPair, int> counts;
    for (int rank = 0; rank < clusters.ranks(); ++rank)
        for (const auto& operation : schedules[static_cast<std::size_t>(rank)].operations())
            if (const HostPair pair{clusters.host_of(rank), operation.is_message()
                                                                ? clusters.host_of(operation.peer)
                                                                : clusters.host_of(rank)};
                operation.is_outgoing() && pair.first != pair.second)
                ++counts[pair];
    return counts;
}

int total_of(const std::map<HostPair, int>& counts) {
    int sum = 0;
    for (const auto& [pair, count] : counts)
        sum += count;
    return sum;
}

TEST(ByHosts, ExchangesCrossOnceForEachPairOfHosts) {
    EXPECT_TRUE(rc::check([] {
        const auto clusters = some_hosts();
        const auto hosts = static_cast<std::size_t>(clusters.hosts());
        const Call call{Specification::of(Collective::alltoall, clusters.ranks(), 0, 3),
                        {.clusters = clusters}};
        for (const auto* name :
             {"alltoall.host_leader", "alltoall.host_leaders", "alltoall.host_shared"}) {
            const auto counts = between_hosts(call, name);
            RC_ASSERT(counts.size() == hosts * (hosts - 1));
            RC_ASSERT(total_of(counts) == static_cast<int>(counts.size()));
        }
    }));
}

TEST(ByHosts, RootedCollectivesCrossOnceForEachOtherHost) {
    EXPECT_TRUE(rc::check([] {
        const auto clusters = some_hosts();
        const int ranks = clusters.ranks(), others = clusters.hosts() - 1;
        const int root = *any_of(0, ranks);
        const int segments = *any_of(1, 6);
        const Call scatter{Specification::of(Collective::scatter, ranks, root, 3),
                           {.clusters = clusters}};
        const Call gather{Specification::of(Collective::gather, ranks, root, 3),
                          {.clusters = clusters}};
        const Call bcast{Specification::of(Collective::bcast, ranks, root, 60),
                         {.clusters = clusters}};
        auto chain = bcast;
        chain.parameters.segment_bytes =
            static_cast<std::uint64_t>(60 + segments - 1) / static_cast<std::uint64_t>(segments);
        RC_ASSERT(total_of(between_hosts(scatter, "scatter.hosts")) == others);
        RC_ASSERT(total_of(between_hosts(gather, "gather.hosts")) == others);
        RC_ASSERT(total_of(between_hosts(bcast, "bcast.host_binomial")) == others);
        const auto counts = between_hosts(chain, "bcast.host_chain");
        RC_ASSERT(total_of(counts) == others * segments);
        std::set<int> senders, clusters_entered;
        for (const auto& [pair, count] : counts) {
            RC_ASSERT(count == segments);
            RC_ASSERT(senders.insert(pair.first).second);
            const auto cluster = [&](int host) {
                return clusters.cluster_of(clusters.first_of_host(host));
            };
            if (cluster(pair.first) != cluster(pair.second))
                RC_ASSERT(clusters_entered.insert(cluster(pair.second)).second);
        }
        RC_ASSERT(static_cast<int>(clusters_entered.size()) == clusters.count() - 1);
    }));
}

TEST(ByHosts, SharedExchangesAreCarriedByAllRanksOfAHost) {
    const auto clusters = parsed("7x3");
    const Call call{Specification::of(Collective::alltoall, 21, 0, 3), {.clusters = clusters}};
    const auto carriers = [&](std::string_view name) {
        std::map<int, int> sends;
        const auto schedules =
            schedules_of(**find_algorithm(name), call.specification, call.parameters);
        for (int rank = 0; rank < 21; ++rank)
            for (const auto& operation : schedules[static_cast<std::size_t>(rank)].operations())
                sends[rank] += operation.kind == Kind::send &&
                               clusters.host_of(operation.peer) != clusters.host_of(rank);
        return sends;
    };
    for (const auto& [rank, sends] : carriers("alltoall.host_shared")) {
        const int number = rank % 3;
        // Of hosts 0 to 6 three are a multiple of 3; a rank sends nothing to its own host.
        EXPECT_EQ(sends, (number == 0 ? 3 : 2) - (clusters.host_of(rank) % 3 == number)) << rank;
    }
    for (const auto& [rank, sends] : carriers("alltoall.host_leaders")) {
        const int number = rank % 3; // two of three ranks lead
        EXPECT_EQ(sends,
                  number == 2 ? 0 : (number == 0 ? 4 : 3) - (clusters.host_of(rank) % 2 == number))
            << rank;
    }
    for (const auto& [rank, sends] : carriers("alltoall.host_leader"))
        EXPECT_EQ(sends, rank % 3 == 0 ? 6 : 0) << rank;
}

/// The hosts a rank sends to, in order, each run of one host once; its own is left out.
std::vector<int> turns(const Clusters& clusters, const Schedule& schedule, int rank) {
    std::vector<int> hosts;
    for (const auto& operation : schedule.operations()) {
        const int host = operation.kind == Kind::send ? clusters.host_of(operation.peer)
                                                      : clusters.host_of(rank);
        if (host != clusters.host_of(rank) && (hosts.empty() || hosts.back() != host))
            hosts.push_back(host);
    }
    return hosts;
}

TEST(ByHosts, PacedRanksOfAHostSendToOneOtherHostAtATime) {
    for (const auto* text : {"5x3", "1x4/1x2/2/1x3"}) {
        const auto clusters = parsed(text);
        const Parameters parameters{.window = 2, .clusters = clusters};
        const auto n = static_cast<std::size_t>(clusters.ranks());
        for (const auto& specification :
             {Specification::of(Collective::alltoall, clusters.ranks(), 0, 8),
              Specification::alltoallv(clusters.ranks(), std::vector<std::uint64_t>(n * n, 8))})
            for (int rank = 0; rank < clusters.ranks(); ++rank) {
                std::vector<int> rotated;
                for (int turn = 1; turn < clusters.hosts(); ++turn)
                    rotated.push_back((clusters.host_of(rank) + turn) % clusters.hosts());
                EXPECT_EQ(turns(clusters,
                                schedule_of(**find_algorithm("alltoall.paced"), specification,
                                            parameters, rank),
                                rank),
                          rotated)
                    << text << " rank " << rank;
            }
    }
}

TEST(ByHosts, PacedMessagesWithinAHostAreWholeAndTakeNoPlaceInAWindow) {
    const auto clusters = parsed("3x4");
    const auto specification = Specification::of(Collective::alltoall, 12, 0, 80);
    const Parameters parameters{.segment_bytes = 10, .window = 1, .clusters = clusters};
    for (int rank = 0; rank < 12; ++rank) {
        const auto schedule =
            schedule_of(**find_algorithm("alltoall.paced"), specification, parameters, rank);
        int within = 0;
        for (int step = 0; step < schedule.size(); ++step) {
            const auto& operation = schedule[step];
            if (!operation.is_message() ||
                clusters.host_of(operation.peer) != clusters.host_of(rank)) {
                for (const auto earlier : schedule.after(step))
                    EXPECT_NE(clusters.host_of(schedule[earlier].peer), clusters.host_of(rank));
                continue;
            }
            ++within;
            EXPECT_TRUE(schedule.after(step).empty());
            EXPECT_EQ(operation.region.size_bytes, 80U);
        }
        EXPECT_EQ(within, 2 * 3);
    }
}

TEST(ByHosts, LeadersKeepTheWindow) {
    // With a window of one, a message to the next host waits for the previous one both ways.
    const auto schedule = schedule_of(**find_algorithm("alltoall.host_leader"),
                                      Specification::of(Collective::alltoall, 10, 0, 8),
                                      {.window = 1, .clusters = parsed("5x2")}, 0);
    std::vector<int> wire;
    for (int step = 0; step < schedule.size(); ++step)
        if (schedule[step].is_message() && schedule[step].peer > 1)
            wire.push_back(step);
    ASSERT_EQ(wire.size(), 8U);
    for (std::size_t i = 2; i < wire.size(); ++i) {
        const auto after = schedule.after(wire[i]);
        const auto waits_for = [&](int step) {
            return std::find(after.begin(), after.end(), step) != after.end();
        };
        EXPECT_TRUE(waits_for(wire[i - 2])) << i; // the one before in this direction
        EXPECT_EQ(waits_for(wire[i - 1]), schedule[wire[i]].kind == Kind::send) << i;
    }
}

TEST(ByHosts, RefusesPlacementsWithOneRankPerHost) {
    const auto refusal = [](const char* name, const Parameters& parameters) {
        const auto* algorithm = *find_algorithm(name);
        const auto status = accepts(*algorithm, algorithm->collective, 12, 0, parameters);
        return status ? std::string("accepted") : status.error().message;
    };
    EXPECT_EQ(refusal("bcast.host_binomial", {.clusters = parsed("6+6")}),
              "bcast.host_binomial needs a host with several ranks, such as 6x4, not 6+6");
    EXPECT_EQ(refusal("bcast.host_binomial", {}),
              "bcast.host_binomial needs hosts with several ranks, such as --clusters 6x4");
    EXPECT_EQ(refusal("bcast.host_binomial", {.clusters = parsed("2x3+6")}), "accepted");
    EXPECT_EQ(refusal("alltoall.paced", {.clusters = parsed("12")}), "accepted");
    EXPECT_EQ(refusal("alltoall.paced", {.clusters = parsed("4x3")}), "accepted");
    EXPECT_EQ(refusal("bcast.chain", {.clusters = parsed("4x3")}), "bcast.chain takes no clusters");
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Collectives composed of phases across clusters: each byte needed elsewhere crosses once, shared
// out over ranks, and short ones wait for one crossing only.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "any_of.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/matching.hpp"

namespace alltold {
using test::any_of;
namespace {

/// `least` to `most` clusters of up to seven ranks.
Clusters some_clusters(int least, int most) {
    return Clusters(*rc::gen::container<std::vector<int>>(
        static_cast<std::size_t>(*any_of(least, most + 1)), any_of(1, 8)));
}

/// The schedules of one call, with or without a segment as the algorithm wants.
std::vector<Schedule> call(std::string_view name, const Clusters& clusters, std::uint64_t bytes,
                           int root = 0) {
    const auto& algorithm = **find_algorithm(name);
    Parameters parameters{.clusters = clusters};
    if (algorithm.segment == Algorithm::Use::must)
        parameters.segment_bytes = *any_of<std::uint64_t>(1, bytes + 1);
    const auto specification =
        Specification::of(algorithm.collective, clusters.ranks(), root, bytes);
    const auto schedules = schedules_of(algorithm, specification, parameters);
    const auto fault = check(specification, schedules);
    if (fault)
        RC_FAIL(clusters.text() + ": " + fault->text());
    return schedules;
}

using Bytes = std::map<int, std::uint64_t>;

struct Crossing {
    std::map<std::pair<int, int>, std::uint64_t> between; ///< ordered pairs of clusters
    Bytes sent, received;                                 ///< by rank, from or to other clusters
};

Crossing crossing(const Clusters& clusters, const std::vector<Schedule>& schedules) {
    Crossing all;
    for (int rank = 0; rank < clusters.ranks(); ++rank)
        for (const auto& operation : schedules[static_cast<std::size_t>(rank)].operations()) {
            if (operation.kind != Kind::send)
                continue;
            const int from = clusters.cluster_of(rank), to = clusters.cluster_of(operation.peer);
            if (from == to)
                continue;
            all.between[{from, to}] += operation.region.size_bytes;
            all.sent[rank] += operation.region.size_bytes;
            all.received[operation.peer] += operation.region.size_bytes;
        }
    return all;
}

std::uint64_t total(const Crossing& all) {
    std::uint64_t sum = 0;
    for (const auto& [pair, bytes] : all.between)
        sum += bytes;
    return sum;
}

std::uint64_t part(std::uint64_t bytes, int ranks) {
    return bytes / static_cast<std::uint64_t>(ranks);
}

TEST(ByGroups, AllreduceOfTwoClustersCrossesOnceEachWayInEqualShares) {
    EXPECT_TRUE(rc::check([] {
        const auto clusters = some_clusters(2, 2);
        const auto bytes = *any_of<std::uint64_t>(1, 200);
        const auto all = crossing(clusters, call("allreduce.clustered", clusters, bytes));
        RC_ASSERT(all.between.at({0, 1}) == bytes);
        RC_ASSERT(all.between.at({1, 0}) == bytes);
        for (const auto* by_rank : {&all.sent, &all.received})
            for (const auto& [rank, carried] : *by_rank) {
                const auto share = part(bytes, clusters.size(clusters.cluster_of(rank)));
                RC_ASSERT(carried == share || carried == share + 1);
            }
    }));
}

TEST(ByGroups, ReductionsCrossOnceFromEachClusterAndResultsOnceToIt) {
    EXPECT_TRUE(rc::check([] {
        const auto clusters = some_clusters(2, 4);
        const auto others = static_cast<std::uint64_t>(clusters.count() - 1);
        const int root = *any_of(0, clusters.ranks());
        const auto bytes = *any_of<std::uint64_t>(1, 200);
        const auto reduced = crossing(clusters, call("reduce.clustered", clusters, bytes, root));
        RC_ASSERT(total(reduced) == others * bytes);
        RC_ASSERT(reduced.between.size() == others);
        for (const auto& [pair, crossed] : reduced.between) {
            RC_ASSERT(pair.first != clusters.cluster_of(root));
            RC_ASSERT(crossed == bytes);
        }
        for (const auto& [rank, carried] : reduced.sent)
            RC_ASSERT(carried <= part(bytes, clusters.size(clusters.cluster_of(rank))) + 1);
        RC_ASSERT(total(crossing(clusters, call("allreduce.clustered", clusters, bytes))) ==
                  2 * others * bytes);
        RC_ASSERT(total(crossing(clusters, call("reduce.clustered_short", clusters, bytes,
                                                root))) == others * bytes);
    }));
}

TEST(ByGroups, BlocksCrossOnceToOrFromEachOtherCluster) {
    EXPECT_TRUE(rc::check([] {
        const auto clusters = some_clusters(2, 4);
        const auto bytes = *any_of<std::uint64_t>(1, 20);
        for (const auto* name : {"allgather.clustered", "reduce_scatter_block.clustered"}) {
            const auto all = crossing(clusters, call(name, clusters, bytes));
            Bytes into, out_of;
            for (const auto& [pair, crossed] : all.between) {
                out_of[pair.first] += crossed;
                into[pair.second] += crossed;
            }
            const bool gathers = std::string_view(name).starts_with("allgather");
            for (int cluster = 0; cluster < clusters.count(); ++cluster) {
                const int others = clusters.ranks() - clusters.size(cluster);
                RC_ASSERT((gathers ? into : out_of)[cluster] ==
                          static_cast<std::uint64_t>(others) * bytes);
            }
        }
    }));
}

/// How many messages between clusters follow each other at most, one waiting for the other.
int longest_row(const Clusters& clusters, const std::vector<Schedule>& schedules) {
    Matching matching(schedules);
    RC_ASSERT(!matching.pair_up());
    std::vector<int> crossings(static_cast<std::size_t>(matching.size())); // so far, by operation
    const auto of = [&](int rank, int step) -> int& {
        return crossings[static_cast<std::size_t>(matching.index(rank, step))];
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (int rank = 0; rank < clusters.ranks(); ++rank) {
            const auto& schedule = schedules[static_cast<std::size_t>(rank)];
            for (int step = 0; step < schedule.size(); ++step) {
                int most = 0;
                for (const auto earlier : schedule.after(step))
                    most = std::max(most, of(rank, earlier));
                if (schedule[step].is_incoming()) {
                    const auto [sender, sent] = matching.partner(rank, step);
                    most = std::max(most, of(sender, sent) + (clusters.cluster_of(sender) !=
                                                              clusters.cluster_of(rank)));
                }
                changed |= of(rank, step) != most;
                of(rank, step) = most;
            }
        }
    }
    return *std::max_element(crossings.begin(), crossings.end());
}

TEST(ByGroups, ShortCollectivesWaitForOneCrossing) {
    EXPECT_TRUE(rc::check([] {
        const auto clusters = some_clusters(2, 4);
        const int root = *any_of(0, clusters.ranks());
        for (const auto* name : {"allreduce.clustered_short", "barrier.clustered"})
            RC_ASSERT(longest_row(clusters, call(name, clusters, 8)) == 1);
        RC_ASSERT(longest_row(clusters, call("reduce.clustered_short", clusters, 8, root)) == 1);
        const auto two = some_clusters(2, 2);
        RC_ASSERT(longest_row(two, call("allreduce.clustered", two, 100)) == 1);
    }));
}

TEST(ByGroups, AHostsPortCarriesNoMoreThanItMust) {
    EXPECT_TRUE(rc::check([] {
        // Hosts in place of clusters: the same counts by host.
        auto hosts = *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(*any_of(2, 6)),
                                                           any_of(1, 5));
        ++hosts.front();
        const auto clusters = Clusters::of_hosts({hosts});
        const Clusters by_host(hosts);
        const auto bytes = *any_of<std::uint64_t>(1, 200);
        const auto others = static_cast<std::uint64_t>(clusters.hosts() - 1);
        const auto parts = others + 1;
        const auto crossed = crossing(by_host, call("allreduce.hosts", clusters, bytes)).between;
        for (const auto& [pair, sent] : crossed)
            RC_ASSERT(sent <= 2 * (bytes - bytes / parts));
        const int root = *any_of(0, clusters.ranks());
        for (const auto& [pair, sent] :
             crossing(by_host, call("reduce.hosts", clusters, bytes, root)).between)
            RC_ASSERT(sent == bytes);
        const auto short_one = call("reduce.hosts_short", clusters, bytes, root);
        const auto to_root = crossing(by_host, short_one).between;
        RC_ASSERT(to_root.size() == others);
        for (const auto& [pair, sent] : to_root)
            RC_ASSERT(pair.second == by_host.cluster_of(root) && sent == bytes);
        RC_ASSERT(longest_row(by_host, short_one) == 1);
    }));
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The size exchange before an all-to-all-v: proved, and it brings each rank the sizes it needs.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "schedule/algorithms/size_exchange.hpp"

namespace alltold {
namespace {

/// Two to four clusters of one to six ranks.
Clusters some_clusters() {
    auto sizes =
        *rc::gen::container<std::vector<int>>(*rc::gen::inRange(2, 5), rc::gen::inRange(1, 7));
    return Clusters(std::move(sizes));
}

std::vector<SizeExchange> size_exchange(const Algorithm& algorithm, const Parameters& parameters,
                                        int ranks) {
    std::vector<SizeExchange> all;
    for (int rank = 0; rank < ranks; ++rank)
        all.push_back(size_exchange_of(
            algorithm, {Collective::alltoallv, rank, ranks, 0, 0, nullptr, parameters}));
    return all;
}

TEST(SizeExchange, IsAnExchangeThatBringsEachRankTheSizesItMustKnow) {
    const auto& lg = **find_algorithm("alltoall.lg");
    EXPECT_TRUE(rc::check([&] {
        const Parameters parameters{.clusters = some_clusters()};
        const int n = parameters.clusters->ranks();
        const auto all = size_exchange(lg, parameters, n);
        std::vector<std::uint64_t> bytes;
        std::vector<Schedule> schedules;
        for (const auto& one : all) {
            bytes.insert(bytes.end(), one.shares.send_bytes.begin(), one.shares.send_bytes.end());
            schedules.push_back(one.schedule);
        }
        const auto exchange = Specification::alltoallv(n, bytes);
        RC_ASSERT(!check(exchange, schedules));

        // Number every size, let it travel, and see that what arrives is what was wanted.
        for (int rank = 0; rank < n; ++rank) {
            const auto wanted =
                lg.passes_on({Collective::alltoallv, rank, n, 0, 0, nullptr, parameters});
            RC_ASSERT(all[static_cast<std::size_t>(rank)].received_sizes() == wanted.size());
            std::vector<Block> arrived;
            for (int source = 0; source < n; ++source) {
                const auto& from = all[static_cast<std::size_t>(source)];
                const auto to = static_cast<std::size_t>(rank);
                for (std::size_t i = 0; i < from.shares.send_bytes[to] / 8; ++i)
                    arrived.push_back(
                        {source, from.destinations[from.shares.send_offsets[to] / 8 + i]});
            }
            RC_ASSERT(arrived == wanted);
        }
    }));
}

TEST(SizeExchange, OfLocalGroupStaysInsideTheCluster) {
    const Parameters parameters{.clusters = Clusters({3, 7, 2})};
    const auto all = size_exchange(**find_algorithm("alltoall.lg"), parameters, 12);
    for (int rank = 0; rank < 12; ++rank)
        for (const auto& operation : all[static_cast<std::size_t>(rank)].schedule.operations())
            EXPECT_EQ(parameters.clusters->cluster_of(operation.peer),
                      parameters.clusters->cluster_of(rank));
}

TEST(LocalGroupVectors, CrossInAsManyMessagesAsTheLargerClusterHasRanks) {
    const auto& lg = **find_algorithm("alltoall.lg");
    EXPECT_TRUE(rc::check([&] {
        const Parameters parameters{.clusters = some_clusters()};
        const auto& clusters = *parameters.clusters;
        const int n = clusters.ranks();
        const auto sizes = *rc::gen::container<std::vector<std::uint64_t>>(
            static_cast<std::size_t>(n * n), rc::gen::inRange<std::uint64_t>(1, 300));
        const auto specification =
            Specification::alltoallv(n, sizes, *rc::gen::inRange<std::uint64_t>(0, 3));
        const auto schedules = schedules_of(lg, specification, parameters);
        RC_ASSERT(!check(specification, schedules));
        std::vector<int> crossing(static_cast<std::size_t>(clusters.count() * clusters.count()));
        for (int rank = 0; rank < n; ++rank)
            for (const auto& operation : schedules[static_cast<std::size_t>(rank)].operations())
                if (operation.kind == Kind::send)
                    ++crossing[static_cast<std::size_t>(clusters.cluster_of(rank) *
                                                            clusters.count() +
                                                        clusters.cluster_of(operation.peer))];
        for (int a = 0; a < clusters.count(); ++a)
            for (int b = 0; b < clusters.count(); ++b)
                RC_ASSERT(a == b || crossing[static_cast<std::size_t>(a * clusters.count() + b)] ==
                                        std::max(clusters.size(a), clusters.size(b)));
    }));
}

} // namespace
} // namespace alltold

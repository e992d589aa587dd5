// SPDX-License-Identifier: BSD-3-Clause
// Messages, bytes and rounds are those the papers count.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "powers.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "schedule/timeline.hpp"

using namespace alltold;
using test::ceil_log2;

namespace {

/// What a call amounts to.
struct Counts {
    int steps = 0;    ///< rounds of at most one message per rank and direction
    int messages = 0; ///< with data
    int signals = 0;  ///< without
    std::uint64_t bytes = 0;
    std::vector<int> inter_cluster; ///< per sending cluster
};

Counts counts_of(const char* name, const Specification& spec, const Parameters& parameters = {}) {
    const auto algorithm = *find_algorithm(name);
    const auto schedules = schedules_of(*algorithm, spec, parameters);
    Counts counts;
    if (parameters.clusters)
        counts.inter_cluster.resize(static_cast<std::size_t>(parameters.clusters->count()));
    for (const auto& message : timeline(spec, schedules)) {
        counts.steps = message.step;
        ++(message.size_bytes > 0 ? counts.messages : counts.signals);
        counts.bytes += message.size_bytes;
        if (!parameters.clusters)
            continue;
        const int from = parameters.clusters->cluster_of(message.source);
        if (from != parameters.clusters->cluster_of(message.destination))
            ++counts.inter_cluster[static_cast<std::size_t>(from)];
    }
    return counts;
}

TEST(Counts, LocalGroupCrossesTheBackboneMaxOfN1AndN2TimesEachWay) {
    for (int n1 = 1; n1 <= 14; ++n1)
        for (int n2 = 1; n2 <= 14; ++n2) {
            const Parameters parameters{.clusters = Clusters({n1, n2})};
            const auto spec = Specification::of(Collective::alltoall, n1 + n2, 0, 3);
            const int most = std::max(n1, n2);
            EXPECT_EQ(counts_of("alltoall.lg", spec, parameters).inter_cluster,
                      (std::vector{most, most}))
                << n1 << "+" << n2;
            EXPECT_EQ(counts_of("alltoall.coordinator", spec, parameters).inter_cluster,
                      (std::vector{1, 1}));
        }
}

TEST(Counts, PacedLetsClustersOfAnySizeHaveAsMuchOnTheirWayToOthers) {
    // Five messages for each of six ranks: 15 for each cluster, whatever its size.
    const Parameters parameters{
        .segment_bytes = 1, .window = 4, .inter_cluster_window = 5, .clusters = Clusters({1, 5})};
    const auto schedules =
        schedules_of(**find_algorithm("alltoall.paced"),
                     Specification::of(Collective::alltoall, 6, 0, 40), parameters);
    for (int rank = 0; rank < 6; ++rank) {
        const auto& schedule = schedules[static_cast<std::size_t>(rank)];
        int at_once = 0, confirmed = 0;
        for (int step = 0; step < schedule.size(); ++step) {
            confirmed += schedule[step].synchronous;
            at_once += schedule[step].kind == Kind::send && schedule.after(step).empty() &&
                       (rank == 0) != (schedule[step].peer == 0);
        }
        // One fewer where what comes in is counted before the last of them.
        const int most = rank == 0 ? 15 : 3;
        EXPECT_LE(at_once, most) << rank;
        EXPECT_GE(at_once, most - 1) << rank;
        EXPECT_EQ(confirmed, 0) << rank;
    }
}

TEST(Counts, LocalGroupAmongMoreClustersCrossesSoOftenBetweenEveryTwo) {
    const std::vector<int> sizes{3, 1, 4, 2};
    std::vector<int> inter_cluster;
    for (std::size_t a = 0; a < sizes.size(); ++a) {
        inter_cluster.push_back(0);
        for (std::size_t b = 0; b < sizes.size(); ++b)
            inter_cluster.back() += a == b ? 0 : std::max(sizes[a], sizes[b]);
    }
    EXPECT_EQ(counts_of("alltoall.lg", Specification::of(Collective::alltoall, 10, 0, 7),
                        {.clusters = Clusters(sizes)})
                  .inter_cluster,
              inter_cluster);
}

TEST(Counts, LocalGroupWithSmallClustersGoesStraightBetweenLargeOnes) {
    const auto inter_cluster = [](int window) {
        return counts_of("alltoall.lg_small", Specification::of(Collective::alltoall, 12, 0, 7),
                         {.window = window, .clusters = Clusters({2, 5, 5})})
            .inter_cluster;
    };
    EXPECT_EQ(inter_cluster(0), (std::vector{10, 10, 10}));
    EXPECT_EQ(inter_cluster(2), (std::vector{10, 5 + 25, 5 + 25}));
    EXPECT_EQ(inter_cluster(1), (std::vector{20, 10 + 25, 10 + 25}));
    EXPECT_EQ(inter_cluster(5), inter_cluster(0));
}

TEST(Counts, ClusteredBroadcastCrossesOncePerSegmentAndCluster) {
    for (int root = 0; root < 10; ++root)
        for (const int segments : {1, 2, 5}) {
            const auto counts =
                counts_of("bcast.clustered", Specification::of(Collective::bcast, 10, root, 60),
                          {.segment_bytes = 60U / static_cast<unsigned>(segments),
                           .clusters = Clusters({3, 1, 4, 2})});
            std::vector<int> inter_cluster(4);
            inter_cluster[static_cast<std::size_t>(Clusters({3, 1, 4, 2}).cluster_of(root))] =
                3 * segments;
            EXPECT_EQ(counts.inter_cluster, inter_cluster) << "root " << root;
        }
}

TEST(Counts, RelayedScatterAndGatherCrossOncePerCluster) {
    const Parameters parameters{.clusters = Clusters({3, 1, 4, 2})};
    for (int root = 0; root < 10; ++root) {
        const auto roots = static_cast<std::size_t>(parameters.clusters->cluster_of(root));
        std::vector<int> out(4), in(4, 1);
        out[roots] = 3;
        in[roots] = 0;
        const auto scatter = counts_of(
            "scatter.relayed", Specification::of(Collective::scatter, 10, root, 7), parameters);
        const auto gather = counts_of(
            "gather.relayed", Specification::of(Collective::gather, 10, root, 7), parameters);
        EXPECT_EQ(scatter.inter_cluster, out) << "root " << root;
        EXPECT_EQ(gather.inter_cluster, in) << "root " << root;
        EXPECT_EQ(scatter.messages, 9);
        EXPECT_EQ(gather.messages, 9);
    }
}

TEST(Counts, CoordinatorsExchangeOneMessagePerPairOfClusters) {
    const Parameters parameters{.clusters = Clusters({3, 1, 4, 2})};
    const auto counts = counts_of("alltoall.coordinator",
                                  Specification::of(Collective::alltoall, 10, 0, 7), parameters);
    EXPECT_EQ(counts.inter_cluster, (std::vector{3, 3, 3, 3}));
}

TEST(Counts, BroadcastsTakeThePapersRounds) {
    EXPECT_TRUE(rc::check("rounds and messages of the ten broadcasts", [] {
        const int n = *rc::gen::inRange(1, 40);
        const int root = *rc::gen::inRange(0, n);
        const int k = *rc::gen::inRange(1, 6);
        const auto spec = Specification::of(Collective::bcast, n, root, 60);
        const Parameters segments{.segment_bytes = static_cast<std::uint64_t>((60 + k - 1) / k)};
        const int segment_count =
            static_cast<int>((60 + segments.segment_bytes - 1) / segments.segment_bytes);
        for (const auto* name : {"bcast.flat", "bcast.chain"}) {
            const auto counts = counts_of(name, spec);
            RC_ASSERT(counts.steps == n - 1);
            RC_ASSERT(counts.messages == n - 1);
        }
        RC_ASSERT(counts_of("bcast.binomial", spec).steps == ceil_log2(n));
        RC_ASSERT(counts_of("bcast.flat_segmented", spec, segments).steps ==
                  (n - 1) * segment_count);
        RC_ASSERT(counts_of("bcast.chain_segmented", spec, segments).steps ==
                  (n == 1 ? 0 : n - 1 + segment_count - 1));
        RC_ASSERT(counts_of("bcast.binary", spec).steps <= 2 * ceil_log2(n));
        for (const auto* name :
             {"bcast.flat_rendezvous", "bcast.chain_rendezvous", "bcast.binomial_rendezvous"}) {
            const auto counts = counts_of(name, spec);
            RC_ASSERT(counts.messages == n - 1);
            RC_ASSERT(counts.signals == 2 * (n - 1));
        }
    }));
}

TEST(Counts, ScattersAndGathersMoveThePapersBytes) {
    EXPECT_TRUE(rc::check("rounds and bytes of scatter and its mirror", [] {
        const int n = *rc::gen::inRange(1, 40);
        const int root = *rc::gen::inRange(0, n);
        for (const auto& [collective, spec] :
             {std::pair<std::string, Specification>{
                  "scatter", Specification::of(Collective::scatter, n, root, 5)},
              {"gather", Specification::of(Collective::gather, n, root, 5)}}) {
            const auto count = [&](const char* algorithm) {
                return counts_of((collective + algorithm).c_str(), spec);
            };
            const auto blocks = static_cast<std::uint64_t>(n - 1);
            RC_ASSERT(count(".flat").steps == n - 1);
            RC_ASSERT(count(".flat").bytes == 5 * blocks);
            RC_ASSERT(count(".chain").steps == n - 1);
            RC_ASSERT(count(".chain").bytes == 5 * blocks * (blocks + 1) / 2);
            RC_ASSERT(count(".binomial").steps == ceil_log2(n));
            RC_ASSERT(count(".binomial").messages == n - 1);
        }
    }));
}

TEST(Counts, WindowedGatherHasOneStartSignalPerRankBeyondTheWindow) {
    for (int n = 1; n <= 12; ++n)
        for (int window = 1; window <= 13; ++window) {
            const auto counts =
                counts_of("gather.windowed", Specification::of(Collective::gather, n, n / 2, 5),
                          {.window = window});
            EXPECT_EQ(counts.messages, n - 1);
            EXPECT_EQ(counts.signals, std::max(0, n - 1 - window));
        }
}

TEST(Counts, ExchangesTakeTheirRounds) {
    for (int n = 1; n <= 33; ++n) {
        const auto spec = Specification::of(Collective::alltoall, n, 0, 5);
        for (const auto* name : {"alltoall.pairwise", "alltoall.rotated"}) {
            EXPECT_EQ(counts_of(name, spec).steps, n - 1) << name << " " << n;
            EXPECT_EQ(counts_of(name, spec).messages, n * (n - 1));
        }
        const auto bruck = counts_of("alltoall.bruck", spec);
        EXPECT_EQ(bruck.steps, ceil_log2(n));
        EXPECT_EQ(bruck.messages, n * ceil_log2(n));
    }
}

TEST(Registry, RefusesWhatAnAlgorithmCannotDo) {
    const auto refusal = [](const char* name, int ranks, int root, const Parameters& parameters) {
        const auto* algorithm = *find_algorithm(name);
        const auto status = accepts(*algorithm, algorithm->collective, ranks, root, parameters);
        return status ? std::string("accepted") : status.error().message;
    };
    EXPECT_EQ(refusal("bcast.chain", 8, 0, {.window = 3}), "bcast.chain takes no window");
    EXPECT_EQ(refusal("bcast.chain", 8, 8, {}), "root 8: must be a rank from 0 to 7");
    EXPECT_EQ(refusal("bcast.chain_segmented", 8, 0, {}),
              "bcast.chain_segmented needs a segment size, such as --segment 8KiB");
    EXPECT_EQ(refusal("alltoall.lg", 8, 0, {.clusters = Clusters({8})}),
              "alltoall.lg needs at least 2 clusters, such as 3+7, not 8");
    EXPECT_EQ(refusal("alltoall.coordinator", 9, 0, {.clusters = Clusters({4, 4})}),
              "clusters 4+4 have 8 ranks in total, but there are 9");
    EXPECT_EQ(refusal("alltoall.pairwise", 9, 0, {}), "accepted");
    EXPECT_FALSE(accepts(**find_algorithm("alltoall.bruck"), Collective::alltoallv, 3, 0, {}));
    EXPECT_TRUE(accepts(**find_algorithm("alltoall.rotated"), Collective::alltoallv, 3, 0, {}));
}

TEST(Registry, NamesWhatComesNearAnUnknownName) {
    const auto unknown = find_algorithm("bcast.binomal");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("closest: bcast.binomial"), std::string::npos);
    EXPECT_EQ(unknown.error().status, ExitStatus::bad_input);
}

TEST(Registry, NamesEachRowOnce) {
    std::set<std::string_view> names;
    for (const auto* row : registry())
        names.insert(row->name);
    EXPECT_EQ(names.size(), registry().size());
    EXPECT_FALSE(names.empty());
}

TEST(Registry, RowsAreFoundByNameAndSayWhenTheyWin) {
    for (const auto* row : registry()) {
        EXPECT_EQ(*find_algorithm(row->name), row);
        EXPECT_FALSE(row->wins.empty());
        EXPECT_TRUE(row->name.starts_with(name_of(row->collective))) << row->name;
    }
}

} // namespace

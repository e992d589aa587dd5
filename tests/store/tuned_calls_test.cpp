// SPDX-License-Identifier: BSD-3-Clause
// Candidates of calls: the library first, those the models cannot tell apart, times of the store.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "store/tuned_calls.hpp"

namespace alltold {
namespace {

/// Eight hosts whose messages take 100 us and 20 us, and 6 MB/s.
Profile profile() {
    Profile made;
    made.provenance.clusters = Clusters({8});
    made.network.plogp = PLogP{Estimate::exact(100e-6), SizeCurve::line(20e-6, 1 / 6e6), {}, {}};
    return made;
}

std::string winner_of(const TunedCall& call) {
    const auto winner = call.elimination.winner();
    return winner ? text_of(call.choices[*winner]) : "none";
}

TEST(Calls, AreOfAThirdTwoThirdsAndAllOfTheHosts) {
    EXPECT_EQ(default_subsets(Clusters({12})),
              (std::vector<Clusters>{Clusters({4}), Clusters({8}), Clusters({12})}));
    EXPECT_EQ(default_subsets(Clusters({6, 6})),
              (std::vector<Clusters>{Clusters({6}), Clusters({4, 4}), Clusters({6, 6})}));
    EXPECT_EQ(default_subsets(Clusters({2})), (std::vector<Clusters>{Clusters({2})}));
    const auto on = [](const char* text) { return *Clusters::parse(text); };
    EXPECT_EQ(default_subsets(on("4x4/2x2")),
              (std::vector<Clusters>{on("2x4"), on("4x4"), on("4x4/2x2")}));
    EXPECT_EQ(default_subsets(on("1x4+2x3")),
              (std::vector<Clusters>{on("2x3"), on("1x4+1x3"), on("1x4+2x3")}));
}

TEST(Calls, HaveTheLibraryAndTheBestPredictedAsCandidates) {
    const auto calls =
        calls_to_tune(profile(), {{Collective::bcast}, {Clusters({8})}, {1 << 20}}, {});
    ASSERT_EQ(calls.size(), 1U);
    const auto& call = calls.front();
    EXPECT_TRUE(call.choices.front().is_default());
    EXPECT_TRUE(call.elimination.candidates().front().is_default);
    ASSERT_EQ(call.choices.size(), call.elimination.candidates().size());
    EXPECT_LE(call.choices.size(), 7U);
    const auto names = [&](const char* name) {
        return std::ranges::count_if(
            call.choices, [&](const Choice& choice) { return text_of(choice).starts_with(name); });
    };
    EXPECT_EQ(names("bcast.flat"), 0) << "takes seven times as long";
    EXPECT_GE(names("bcast.chain_segmented") + names("bcast.circulant"), 3)
        << "with its segment, half and twice that";
}

TEST(Calls, TryManyWhereTheyAreShort) {
    const auto algorithms = [](std::uint64_t size_bytes) {
        const auto calls =
            calls_to_tune(profile(), {{Collective::bcast}, {Clusters({8})}, {size_bytes}}, {});
        std::set<std::string> names;
        for (const auto& choice : calls.front().choices)
            names.insert(text_of(Choice{choice.algorithm, {}}));
        return names.size();
    };
    EXPECT_GE(algorithms(8), 6U);
    EXPECT_LE(algorithms(1 << 20), 4U);
}

TEST(Calls, OfABarrierHaveOneSize) {
    const auto calls = calls_to_tune(
        profile(), {{Collective::barrier, Collective::allgather}, {Clusters({8})}, {8, 64}}, {});
    ASSERT_EQ(calls.size(), 3U);
    EXPECT_EQ(calls.front().size_bytes, 0U);
    EXPECT_GE(calls.front().choices.size(), 2U) << "one of ours at least";
    EXPECT_GE(calls.back().choices.size(), 2U);
}

TEST(Calls, CutIntoPacketsOrHalfOfOne) {
    for (const std::uint64_t size_bytes : {4096, 65536}) {
        const auto calls =
            calls_to_tune(profile(), {{Collective::bcast}, {Clusters({8})}, {size_bytes}}, {});
        for (const auto& choice : calls.front().choices) {
            const auto segment_bytes = choice.parameters.segment_bytes;
            EXPECT_TRUE(segment_bytes == size_bytes || segment_bytes == 700 ||
                        segment_bytes % 1400 == 0)
                << text_of(choice);
        }
    }
}

TEST(Calls, TakeInWhoeverTheStoreHasTimesOf) {
    const TuneRequest request{{Collective::bcast}, {Clusters({8})}, {1 << 20}};
    auto point = calls_to_tune(profile(), request, {}).front().point(0);
    const auto timed = [&](const char* algorithm) {
        point.algorithm = algorithm;
        return PointSamples{point, {{0, .1, false, 0}}};
    };
    const auto calls = calls_to_tune(profile(), request,
                                     std::vector{timed("bcast.flat_segmented segment=12345"),
                                                 timed("mpi.pipeline segment=8KiB")});
    EXPECT_EQ(winner_of(calls.front()), "bcast.flat_segmented segment=12345");
    for (const auto& choice : calls.front().choices)
        EXPECT_TRUE(choice.library.empty()) << "rules cannot name it";
}

TEST(Calls, TakeTheTimesOfTheStore) {
    const TuneRequest request{{Collective::bcast}, {Clusters({8})}, {1 << 20}};
    auto best = calls_to_tune(profile(), request, {}).front().point(1);
    const auto samples = [](const Point& point, double time_s) {
        return PointSamples{point,
                            {{0, 9., true, 0},
                             {1, time_s, false, 0},
                             {2, time_s, false, 0},
                             {3, time_s, false, 0}}};
    };
    auto library = best;
    library.algorithm = "mpi";
    auto elsewhere = library;
    elsewhere.clusters = Clusters({4});
    const std::vector<PointSamples> measured{samples(best, 0.2), samples(library, 0.5),
                                             samples(elsewhere, 0.01)};
    const auto calls = calls_to_tune(profile(), request, measured);
    const auto& elimination = calls.front().elimination;
    EXPECT_EQ(elimination.candidates()[0].times_s, (std::vector<double>{0.5, 0.5, 0.5}))
        << "no warm-up";
    EXPECT_EQ(elimination.candidates()[1].times_s.size(), 3U);
    EXPECT_EQ(winner_of(calls.front()), best.algorithm);
}

TEST(Calls, ThatWereNotTimedHaveNoWinner) {
    for (const auto& call : calls_to_tune(profile(), {}, {}))
        EXPECT_EQ(winner_of(call), "none");
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// What the log of a run sums up, and what it says of it.
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "preload/log_report.hpp"
#include "preload/log_setting.hpp"
#include "preload/observer.hpp"

namespace alltold::preload {
namespace {

using enum Collective;

CallClass alltoalls(const std::string& choice, Why why, int ranks = 4) {
    return {alltoall, ranks, size_bits_of(alltoall, 65536), static_cast<int>(why), false, choice};
}

/// On each of 4 ranks 10 calls of 2 ms by ours, and 2 of 5 ms by the library to compare. Blocks of
/// 8 calls of ours took 32 ms with what the program does between, and with the library's own 24 +-
/// 2 ms more.
CallLog compared() {
    CallLog log;
    for (int rank = 0; rank < 4; ++rank) {
        log.add(alltoalls("alltoall.pairwise", Why::rule), {10, 10 * 65536.0, 20e-3});
        log.add(alltoalls("mpi", Why::trial), {2, 2 * 65536.0, 10e-3});
        log.add_blocks(alltoalls("alltoall.pairwise", Why::rule), {8, 32e-3, 24e-3, 2e-3});
    }
    return log;
}

LoggedRun four_ranks() {
    LoggedRun run;
    run.ranks = 4;
    run.time_s = 0.1;
    run.clusters = Clusters({4});
    return run;
}

/// Pairs of hosts at 1 Gbit/s, and the library's all-to-all of 64 KiB in 5 ms.
Network known() {
    Network network;
    network.plogp = PLogP{Estimate::exact(50e-6), SizeCurve::line(10e-6, 8e-9), {}, {}};
    network.library.push_back({alltoall, Clusters({4}), 65536, {5e-3, 4.9e-3, 5.1e-3}});
    return network;
}

TEST(CallLog, SumsUpAndTravelsAsText) {
    auto log = compared();
    log.add_run(0.5);
    ASSERT_EQ(log.classes().size(), 2u);
    CallLog twice = log;
    twice.read(log.text());
    EXPECT_DOUBLE_EQ(twice.run_s(), 1);
    const auto* blocks = twice.blocks_of(alltoalls("alltoall.pairwise", Why::quicker));
    ASSERT_NE(blocks, nullptr);
    EXPECT_DOUBLE_EQ(blocks->calls, 64);
    EXPECT_DOUBLE_EQ(blocks->time_s, 8 * 32e-3);
    EXPECT_DOUBLE_EQ(blocks->saved_s, 8 * 24e-3);
    EXPECT_DOUBLE_EQ(blocks->error_s, 8 * 2e-3);
    EXPECT_EQ(twice.blocks_of(alltoalls("mpi", Why::trial)), nullptr);
    for (const auto& [shape, sums] : log.classes()) {
        const auto found = twice.classes().find(shape);
        ASSERT_NE(found, twice.classes().end());
        EXPECT_DOUBLE_EQ(found->second.calls, 2 * sums.calls);
        EXPECT_DOUBLE_EQ(found->second.bytes, 2 * sums.bytes);
        EXPECT_DOUBLE_EQ(found->second.time_s, 2 * sums.time_s);
    }
}

TEST(CallLog, HoldsSoManyClassesAndSumsUpTheRest) {
    CallLog log;
    for (int ranks = 2; ranks < 1000; ++ranks)
        log.add(alltoalls("mpi", Why::no_rule, ranks), {1, 8, 1e-3});
    EXPECT_EQ(log.classes().size(), CallLog::most_classes);
    EXPECT_DOUBLE_EQ(log.others().calls, 998 - static_cast<double>(CallLog::most_classes));
    CallLog other;
    other.read(log.text());
    EXPECT_DOUBLE_EQ(other.others().calls, log.others().calls);
}

TEST(CallLog, SizesOfAsManyBitsAreAlike) {
    EXPECT_EQ(size_bits_of(bcast, 65536), size_bits_of(bcast, 131071));
    EXPECT_NE(size_bits_of(bcast, 65536), size_bits_of(bcast, 65535));
    EXPECT_EQ(size_bits_of(bcast, 0), 0);
    // No rank knows the sizes of the others.
    EXPECT_EQ(size_bits_of(alltoallv, 5), size_bits_of(alltoallv, 5000));
}

TEST(LogReport, SavedIsWhatBlocksShowed) {
    const auto report = report_of(compared(), four_ranks());
    ASSERT_EQ(report.classes.size(), 2u);
    const auto& ours = report.classes[0];
    EXPECT_EQ(ours.shape.choice, "alltoall.pairwise");
    EXPECT_DOUBLE_EQ(ours.calls, 10);
    EXPECT_DOUBLE_EQ(ours.time_s, 20e-3);
    EXPECT_DOUBLE_EQ(ours.measured_s, 2e-3);
    ASSERT_TRUE(ours.in_blocks_s && ours.library_in_blocks_s && ours.saved_s);
    EXPECT_DOUBLE_EQ(*ours.in_blocks_s, 4e-3);
    EXPECT_DOUBLE_EQ(*ours.library_in_blocks_s, 7e-3);
    EXPECT_DOUBLE_EQ(*ours.saved_s, 30e-3); // all 10 calls, not those of blocks alone
    EXPECT_DOUBLE_EQ(ours.saved_error_s, 2.5e-3);
    EXPECT_FALSE(report.classes[1].saved_s) << "the library's own saves nothing";
    EXPECT_FALSE(ours.predicted_s);
    EXPECT_DOUBLE_EQ(report.share, 0.3);
    const auto text = text_of(report);
    EXPECT_NE(text.find("Without a profile nothing is predicted"), std::string::npos);
    EXPECT_NE(text.find("in blocks 4 ms a call, the library's own 7 ms: saved 30 ms (25 ms to 35 "
                        "ms)"),
              std::string::npos)
        << text;
    EXPECT_NE(
        text.find("Saved 30 ms (25 ms to 35 ms) in all, 23.1 % of what the run takes without"),
        std::string::npos)
        << text;
}

TEST(LogReport, CallsOfHalfTheRanksSaveHalf) {
    CallLog log;
    for (int rank = 0; rank < 2; ++rank) {
        log.add(alltoalls("alltoall.pairwise", Why::rule, 2), {10, 10 * 65536.0, 20e-3});
        log.add_blocks(alltoalls("alltoall.pairwise", Why::rule, 2), {10, 40e-3, 30e-3, 0});
    }
    EXPECT_DOUBLE_EQ(*report_of(log, four_ranks()).classes[0].saved_s, 15e-3);
}

TEST(LogReport, WithoutBlocksItIsNotKnown) {
    CallLog log;
    log.add(alltoalls("alltoall.pairwise", Why::rule), {40, 40 * 65536.0, 20e-3});
    const auto network = known();
    auto run = four_ranks();
    run.network = &network;
    const auto report = report_of(log, run);
    EXPECT_FALSE(report.classes[0].saved_s) << "a prediction shows nothing";
    const auto text = text_of(report);
    EXPECT_NE(text.find("saved: not known"), std::string::npos) << text;
    EXPECT_NE(text.find("Not known what 10 calls of ours saved"), std::string::npos) << text;
    EXPECT_EQ(text.find("in all"), std::string::npos) << text;
}

TEST(LogReport, PredictedBesideMeasured) {
    const auto network = known();
    auto run = four_ranks();
    run.network = &network;
    const auto report = report_of(compared(), run);
    const auto& ours = report.classes[0];
    ASSERT_TRUE(ours.predicted_s && ours.runner_up_s);
    EXPECT_NE(ours.runner_up, "alltoall.pairwise");
    EXPECT_NE(text_of(report).find("alltoall.pairwise (by rule)"), std::string::npos);
    EXPECT_NE(text_of(report).find("library's own 5 ms (predicted)"), std::string::npos)
        << text_of(report);
}

TEST(LogReport, ObservedOnlySaysWhatCouldBeSaved) {
    const auto network = known();
    auto run = four_ranks();
    run.observed_only = true;
    CallLog log;
    for (int rank = 0; rank < 4; ++rank)
        log.add(alltoalls("mpi", Why::not_ours), {10, 10 * 65536.0, 50e-3});
    EXPECT_NE(text_of(report_of(log, run)).find("not known what could be saved"),
              std::string::npos);
    run.network = &network;
    run.profile = "net.json";
    const auto report = report_of(log, run);
    ASSERT_FALSE(report.classes[0].better.empty());
    EXPECT_GT(*report.classes[0].saved_s, 0);
    EXPECT_NE(text_of(report).find("alltold exec --profile net.json -- PROGRAM"), std::string::npos)
        << text_of(report);
    EXPECT_NE(json_of(report).find("\"better\": \"alltoall."), std::string::npos);
}

TEST(LogReport, EveryCollectiveHasARow) {
    const auto network = known();
    auto run = four_ranks();
    run.network = &network;
    CallLog log;
    for (const auto collective : all_collectives) {
        const std::uint64_t size_bytes = traits_of(collective).has_data ? 4096 : 0;
        log.add({collective, 4, size_bits_of(collective, size_bytes),
                 static_cast<int>(Why::no_rule), false, "mpi"},
                {10, 10.0 * static_cast<double>(size_bytes), 20e-3});
    }
    CallLog travelled;
    travelled.read(log.text());
    const auto report = report_of(travelled, run);
    EXPECT_EQ(report.classes.size(), all_collectives.size());
    const auto text = text_of(report);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 100u) << line;
    for (const auto collective : all_collectives)
        EXPECT_NE(text.find("\n" + std::string(name_of(collective))), std::string::npos) << text;
    // A barrier has size 0, and a long name a line of its own.
    EXPECT_NE(text.find("\nbarrier        4       0 B"), std::string::npos) << text;
    EXPECT_NE(text.find("\nreduce_scatter_block\n               4     4 KiB"), std::string::npos)
        << text;
}

TEST(LogReport, NonblockingCallsAreJudgedByTheirBlocksAlone) {
    CallLog log;
    auto shape = alltoalls("alltoall.pairwise", Why::rule);
    shape.nonblocking = true;
    log.add(shape, {40, 40 * 65536.0, 4e-3});
    const auto network = known();
    auto run = four_ranks();
    run.network = &network;
    const auto report = report_of(log, run);
    EXPECT_FALSE(report.classes[0].predicted_s);
    EXPECT_FALSE(report.classes[0].saved_s);
    EXPECT_NE(text_of(report).find("without the wait"), std::string::npos);
    EXPECT_NE(text_of(report).find("Not known what 10 calls of ours saved"), std::string::npos);

    auto blocking = shape;
    blocking.nonblocking = false;
    log.add_blocks(blocking, {10, 1, 1, 0.1});
    EXPECT_FALSE(report_of(log, run).classes[0].saved_s);
    CallLog judged;
    log.add_blocks(shape, {10, 1, 1, 0.1});
    judged.read(log.text());
    EXPECT_NEAR(report_of(judged, run).classes[0].saved_s.value_or(0), 1, 1e-9);
}

TEST(LogReport, AtMostAHundredColumns) {
    CallLog log;
    for (int ranks = 2; ranks < 16; ++ranks)
        for (const auto* choice : {"mpi", "alltoall.paced segment=128KiB window=1000 "
                                          "inter_cluster_window=1000"}) {
            log.add(alltoalls(choice, Why::sent_back, ranks), {1e6, 1e15, 1e5});
            log.add_blocks(alltoalls(choice, Why::sent_back, ranks), {1e6, 1e5, -1e4, 1e4});
        }
    const auto network = known();
    auto run = four_ranks();
    run.time_s = 1e6;
    run.network = &network;
    std::istringstream lines(text_of(report_of(log, run)));
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 100u) << line;
}

TEST(LogSetting, WordAndFile) {
    using Kind = LogSetting::Kind;
    EXPECT_EQ(log_setting("", "x").kind, Kind::none);
    EXPECT_EQ(log_setting("off", "").kind, Kind::none);
    EXPECT_EQ(log_setting("explain", "").kind, Kind::explain);
    EXPECT_EQ(log_setting("explain", "a.json").file, "a.json");
    const auto both = log_setting("profile:b.json", "a.txt");
    EXPECT_EQ(both.kind, Kind::profile);
    EXPECT_EQ(both.file, "b.json");
    EXPECT_TRUE(both.json());
    EXPECT_FALSE(log_setting("explain:b.txt", "").json());
    EXPECT_EQ(log_setting("explian", "").kind, Kind::unknown);
}

} // namespace
} // namespace alltold::preload

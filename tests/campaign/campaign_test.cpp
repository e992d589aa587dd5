// SPDX-License-Identifier: BSD-3-Clause
// Whole campaigns under the MPI launcher: end to end, resumed, refused.
#include <algorithm>
#include <fstream>

#include "../scratch.hpp"
#include "campaign_fixture.hpp"
#include "core/text_file.hpp"
#include "lab/lab.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold::campaign_tests {
namespace {

TEST_F(Measure, TakesWhatWasAskedForAndNothingTwice) {
    auto words = small;
    words.push_back("--json");
    Job first(command(3, words), out());
    ASSERT_EQ(first.wait(40), 0) << first.errors();
    const auto said = printed(first.output());
    const auto there = stored(store_);
    EXPECT_EQ(said, there);
    const auto campaign = Campaign::read(store_);
    ASSERT_TRUE(campaign);
    EXPECT_EQ(campaign->provenance()->hosts.size(), 3U);
    EXPECT_NE(campaign->provenance()->clock_method.find("ping-pong"), std::string::npos);
    const auto points = *campaign->points();
    std::map<std::string, int> counts;
    for (const auto& [point, samples, unit] : points)
        ++counts[point.probe];
    // The eager limit; two sizes of: two pairs, 0-1 and 0-2; three curves; the library's all-to-all
    // on two sets of hosts, its other collectives on the larger one; on both sets ours that need
    // neither a second cluster nor hosts with several ranks. Six sizes of combinations. Three
    // pairs.
    std::map<std::string, int> expected{
        {"eager", 1},     {"pingpong", 4},         {"plogp.send", 2}, {"plogp.receive", 2},
        {"plogp.gap", 2}, {"plogp.round_trip", 1}, {"bcast", 2},      {"scatter", 2},
        {"gather", 2},    {"alltoall", 4},         {"combine", 6},    {"latencies", 1},
        {"latency", 3}};
    for (const auto* algorithm : registry())
        if (std::ranges::find(papers_collectives, algorithm->collective) !=
                papers_collectives.end() &&
            algorithm->clusters != Algorithm::Use::must && algorithm->hosts != Algorithm::Use::must)
            expected[std::string(name_of(algorithm->collective))] += 2 * 2;
    EXPECT_EQ(counts, expected);
    for (const auto& [point, samples, unit] : points) {
        EXPECT_EQ(samples.front().warmup, !point.probe.starts_with("latenc")) << point.probe;
        int timed = 0;
        for (const auto& sample : samples) {
            timed += sample.warmup ? 0 : 1;
            EXPECT_GT(sample.value, 0);
            EXPECT_EQ(unit, point.probe == "eager" ? "B" : "s");
            if (unit == "s") {
                EXPECT_LT(sample.value, 40) << "longer than the whole campaign may take";
            }
        }
        EXPECT_EQ(timed, 3);
    }
    Job again(command(3, words), out());
    ASSERT_EQ(again.wait(40), 0) << again.errors();
    EXPECT_EQ(again.output(), "");
    EXPECT_EQ(stored(store_), there);
}

TEST_F(Measure, TakesTheAlltoallOfClustersThatRankZeroIsNotIn) {
    Job job(command(3, {"--clusters", "1+2", "--only", "collectives", "--collective", "alltoall",
                        "-m", "1KiB", "--repetitions", "3", "--budget", "30s"}),
            out());
    ASSERT_EQ(job.wait(40), 0) << job.errors();
    const auto campaign = Campaign::read(store_);
    ASSERT_TRUE(campaign);
    const auto points = *campaign->points();
    int samples = 0;
    for (const auto& [point, taken, unit] : points)
        if (point.probe == "within:alltoall")
            samples += static_cast<int>(taken.size());
    EXPECT_GE(samples, 3);
}

TEST_F(Measure, TakesReductionsAndBarriersWhereTheyAreNamed) {
    Job job(command(3, {"--only", "collectives", "--collective", "reduce,allgather,barrier", "-m",
                        "1KiB", "-n", "3", "--repetitions", "2", "--budget", "30s"}),
            out());
    ASSERT_EQ(job.wait(40), 0) << job.errors();
    std::map<std::string, std::set<std::uint64_t>> library, ours;
    const auto campaign = Campaign::read(store_);
    ASSERT_TRUE(campaign);
    const auto points = *campaign->points();
    for (const auto& [point, samples, unit] : points)
        (point.algorithm == "mpi" ? library : ours)[point.probe].insert(point.size_bytes);
    const std::map<std::string, std::set<std::uint64_t>> expected{
        {"reduce", {1024}}, {"allgather", {1024}}, {"barrier", {0}}};
    EXPECT_EQ(library, expected);
    EXPECT_EQ(ours, expected);
}

TEST_F(Measure, AStudyPrintsItsPageAndNamesItsCharts) {
    const auto folder = folder_ / "study";
    Job job({MPI_LAUNCH, MPIEXEC, "3", ALLTOLD_BINARY, "study", "--budget", "5s", "--collective",
             "bcast", "--verbose", "--keep", folder.string()},
            out());
    const int status = job.wait(120);
    ASSERT_TRUE(status == 0 || status == 1) << job.errors(); // 1: the budget was too small
    const auto printed_page = job.output();
    const auto page = read_text_file(folder / "page.txt", "a study's page");
    ASSERT_TRUE(page);
    EXPECT_NE(printed_page.find(*page), std::string::npos) << printed_page;
    EXPECT_NE(printed_page.find("\nCharts", printed_page.find(*page) + page->size() - 1),
              std::string::npos)
        << printed_page;
}

TEST_F(Measure, TimesWhatCombiningTakesAtEverySize) {
    Job job(command(2, {"--only", "p2p", "--repetitions", "3", "--budget", "30s"}), out());
    ASSERT_EQ(job.wait(40), 0) << job.errors();
    const auto campaign = Campaign::read(store_);
    ASSERT_TRUE(campaign);
    const auto points = *campaign->points();
    std::map<std::uint64_t, double> least_s;
    for (const auto& [point, samples, unit] : points)
        if (point.probe == "combine")
            for (const auto& sample : samples)
                least_s[point.size_bytes] =
                    std::min(sample.value, least_s.try_emplace(point.size_bytes, 1).first->second);
    ASSERT_EQ(least_s.size(), 6U);
    for (const auto& [size_bytes, time_s] : least_s)
        EXPECT_GT(time_s, static_cast<double>(size_bytes) / 1e12) << "beyond any memory";
    EXPECT_GT(least_s[1 << 20], least_s[1 << 10]);
}

/// Sizes of the probe's points in the store.
std::vector<std::uint64_t> sizes_of(const fs::path& path, const std::string& probe) {
    std::vector<std::uint64_t> sizes;
    const auto campaign = Campaign::read(path);
    EXPECT_TRUE(campaign);
    const auto points = *campaign->points();
    for (const auto& [point, samples, unit] : points)
        if (point.probe == probe)
            sizes.push_back(point.size_bytes);
    return sizes;
}

// Where curves bend is measured here; bend_points_test.cpp has curves that do.
TEST_F(Measure, KnowsThePointsOfBentCurvesWhenResumed) {
    const Words options{"--only", "plogp", "--budget", "30s", "--repetitions", "3"};
    Job first(command(2, options), out());
    ASSERT_EQ(first.wait(40), 0) << first.errors();
    for (const auto* probe : {"plogp.send", "plogp.receive", "plogp.gap"}) {
        const auto sizes = sizes_of(store_, probe);
        EXPECT_GE(sizes.size(), 15U) << probe;
        EXPECT_LE(sizes.size(), 27U) << probe;
    }
    EXPECT_EQ(sizes_of(store_, "plogp.round_trip").size(), 1U);
    const auto there = stored(store_);
    Job again(command(2, options), out());
    ASSERT_EQ(again.wait(40), 0) << again.errors();
    const auto more = stored(store_);
    for (const auto& [name, time_s] : there)
        EXPECT_EQ(more.count(name), 1U) << name;
    EXPECT_LE(sizes_of(store_, "plogp.send").size(), 27U);
    for (const auto& [name, time_s] : more)
        EXPECT_LT(time_s, 40) << name;
}

TEST_F(Measure, KeepsToItsBudget) {
    Job job(command(2, {"--budget", "1s", "--repetitions", "100000"}), out());
    ASSERT_EQ(job.wait(20), 0) << job.errors(); // the repetitions alone would take far longer
    EXPECT_NE(job.output().find("budget used up"), std::string::npos) << job.output();
    EXPECT_NE(job.output().find("run on one host"), std::string::npos) << job.output();
}

TEST_F(Measure, KeepsToTheStartModeOfItsStore) {
    const Words loop{
        "--only", "collectives", "--collective", "alltoall",    "-m",  "1KiB",    "--repetitions",
        "3",      "-n",          "2,3",          "--algorithm", "mpi", "--start", "loop"};
    Job first(command(3, loop), out());
    ASSERT_EQ(first.wait(40), 0) << first.errors();
    EXPECT_EQ(Campaign::read(store_)->provenance()->start_mode, StartMode::loop);
    const auto there = stored(store_);
    EXPECT_GE(there.size(), 6U + 2U) << "two points, each with warm-ups";
    auto other = loop;
    other.back() = "silence";
    Job again(command(3, other), out());
    EXPECT_EQ(again.wait(40), 2);
    EXPECT_NE(again.errors().find("of what is to be added after a silence (--start silence)"),
              std::string::npos)
        << again.errors();
    EXPECT_EQ(stored(store_), there);
}

TEST_F(Measure, SaysInOneLineWhyItCannotStart) {
    const auto refused = [&](const Words& options, int status, const std::string& why) {
        Job job(command(2, options), out());
        EXPECT_EQ(job.wait(20), status) << job.errors();
        const auto errors = job.errors();
        const auto line = errors.find("alltold: ");
        ASSERT_NE(line, std::string::npos) << errors;
        EXPECT_NE(errors.find(why, line), std::string::npos) << errors;
        EXPECT_EQ(errors.find("alltold: ", line + 1), std::string::npos) << errors;
    };
    refused({"--repetitions", "0"}, 2, "--repetitions");
    refused({"--only", "gossip"}, 2, "use one or more of p2p, plogp, links");
    refused({"--clusters", "3+3"}, 2, "but 2 were started");
    refused({"--budget", "12parsecs"}, 2, "unknown unit 'parsecs'");
    refused({"-m", "12parsecs"}, 2, "-m: '12parsecs' is not a size");
    refused({"--start", "gun"}, 2, "--start: 'gun' is not one of silence, barrier, loop");
    refused({"-n", "0+3"}, 2, "-n: ");
    std::ofstream(store_) << "this is a text file, and long enough to have a header\n";
    refused({}, 2, "is not an SQLite database");
    store_ = "/no/such/folder/net.db";
    refused({}, 2, "/no/such/folder/net.db");
}

TEST(MeasureAlone, AsksForALauncher) {
    const test::Scratch folder;
    Job job({"env", "-u", "OMPI_COMM_WORLD_RANK", ALLTOLD_BINARY, "measure"}, folder / "job");
    EXPECT_EQ(job.wait(10), 2);
    EXPECT_NE(job.errors().find("mpirun -n 12"), std::string::npos) << job.errors();
}

} // namespace
} // namespace alltold::campaign_tests

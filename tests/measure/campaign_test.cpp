// SPDX-License-Identifier: BSD-3-Clause
// Whole campaigns under the MPI launcher: end to end, resumed, killed, interrupted, refused.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "job.hpp"
#include "lab/lab.hpp"
#include "store/campaign.hpp"

namespace alltold::measure_tests {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Times =
    std::map<std::string, double>; ///< "probe algorithm clusters size pair repetition" -> seconds

std::string sample_name(const Point& point, int repetition) {
    return fmt::format("{} {} {} {} {}-{} #{}", point.probe, point.algorithm, point.clusters.text(),
                       point.size_bytes, point.first_rank, point.second_rank, repetition);
}

/// All samples in the store; checks that repetitions count from 0 without a gap.
Times stored(const fs::path& path) {
    Times times;
    const auto campaign = Campaign::read(path);
    EXPECT_TRUE(campaign) << campaign.error().message;
    if (!campaign)
        return times;
    const auto points = campaign->points();
    EXPECT_TRUE(points);
    for (const auto& [point, samples] : *points)
        for (std::size_t i = 0; i < samples.size(); ++i) {
            EXPECT_EQ(samples[i].repetition, static_cast<int>(i));
            EXPECT_TRUE(
                times.emplace(sample_name(point, samples[i].repetition), samples[i].time_s).second);
        }
    return times;
}

/// What whole lines of --json said was stored; no sample may be said twice.
Times printed(const std::string& output) {
    Times times;
    for (std::size_t from = 0, to; (to = output.find('\n', from)) != std::string::npos;
         from = to + 1) {
        if (output[from] != '{') // the launcher's own remarks
            continue;
        const auto line = nlohmann::json::parse(output.substr(from, to - from), nullptr, false);
        EXPECT_FALSE(line.is_discarded()) << output.substr(from, to - from);
        if (line.is_discarded())
            continue;
        const Point point{
            line["probe"],      line["algorithm"],  *Clusters::parse(std::string(line["clusters"])),
            line["size_bytes"], line["first_rank"], line["second_rank"],
            line["count"]};
        EXPECT_TRUE(times.emplace(sample_name(point, line["repetition"]), line["time_s"]).second);
    }
    return times;
}

void expect_all_stored(const Times& said, const Times& there) {
    for (const auto& [name, time_s] : said) {
        const auto found = there.find(name);
        ASSERT_NE(found, there.end()) << name << " was printed but is not in the store";
        EXPECT_EQ(found->second, time_s) << name;
    }
}

class Measure : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  fmt::format("alltold-{}-{}", getpid(),
                              testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
        store_ = folder_ / "net.db";
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// measure with `options` on `ranks` ranks of this machine.
    Words command(int ranks, const Words& options) const {
        Words words{MPI_LAUNCH, MPIEXEC,   std::to_string(ranks), ALLTOLD_BINARY,
                    "measure",  "--store", store_.string()};
        words.insert(words.end(), options.begin(), options.end());
        return words;
    }
    fs::path out() const { return folder_ / "out"; }

    fs::path folder_;
    fs::path store_;
};

const Words small{"--only", "p2p,plogp,collectives", "--sizes", "1,1KiB",   "--procs",
                  "2,3",    "--repetitions",         "3",       "--budget", "30s"};

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
    EXPECT_EQ(campaign->surroundings()->hosts.size(), 3U);
    EXPECT_NE(campaign->surroundings()->clock_method.find("ping-pong"), std::string::npos);
    const auto points = *campaign->points();
    std::map<std::string, int> counts;
    for (const auto& [point, samples] : points)
        ++counts[point.probe];
    EXPECT_EQ(counts, (std::map<std::string, int>{{"pingpong", 4},
                                                  {"plogp.send", 2},
                                                  {"plogp.receive", 2},
                                                  {"plogp.gap", 2},
                                                  {"plogp.round_trip", 1},
                                                  {"bcast", 46},
                                                  {"scatter", 14},
                                                  {"gather", 18},
                                                  {"alltoall", 24}}))
        << "two sizes of: two pairs, 0-1 and 0-2; three curves; the library's all-to-all on two "
           "sets of hosts, of the others on the larger one; on both ours, of which 11, 3, 4 and "
           "5 need no second cluster";
    for (const auto& [point, samples] : points) {
        EXPECT_TRUE(samples.front().warmup);
        int timed = 0;
        for (const auto& sample : samples) {
            timed += sample.warmup ? 0 : 1;
            EXPECT_GT(sample.time_s, 0);
            EXPECT_LT(sample.time_s, 2);
        }
        EXPECT_EQ(timed, 3);
    }
    Job again(command(3, words), out());
    ASSERT_EQ(again.wait(40), 0) << again.errors();
    EXPECT_EQ(again.output(), "");
    EXPECT_EQ(stored(store_), there);
}

/// Sizes of the probe's points in the store.
std::vector<std::uint64_t> sizes_of(const fs::path& path, const std::string& probe) {
    std::vector<std::uint64_t> sizes;
    const auto campaign = Campaign::read(path);
    EXPECT_TRUE(campaign);
    const auto points = *campaign->points();
    for (const auto& [point, samples] : points)
        if (point.probe == probe)
            sizes.push_back(point.size_bytes);
    return sizes;
}

TEST_F(Measure, AddsPointsWhereACurveBendsAndKnowsThemWhenResumed) {
    const Words options{"--only", "plogp", "--budget", "30s", "--repetitions", "3"};
    Job first(command(2, options), out());
    ASSERT_EQ(first.wait(40), 0) << first.errors();
    std::size_t added = 0;
    for (const auto* probe : {"plogp.send", "plogp.receive", "plogp.gap"}) {
        const auto sizes = sizes_of(store_, probe);
        EXPECT_GE(sizes.size(), 15U) << probe;
        EXPECT_LE(sizes.size(), 27U) << probe;
        added += sizes.size() - 15;
    }
    EXPECT_GT(added, 0U) << "no curve of shared memory is straight";
    EXPECT_EQ(sizes_of(store_, "plogp.round_trip").size(), 1U);
    const auto there = stored(store_);
    Job again(command(2, options), out());
    ASSERT_EQ(again.wait(40), 0) << again.errors();
    const auto more = stored(store_);
    for (const auto& [name, time_s] : there)
        EXPECT_EQ(more.count(name), 1U) << name;
    EXPECT_LE(sizes_of(store_, "plogp.send").size(), 27U);
    for (const auto& [name, time_s] : more)
        EXPECT_LT(time_s, 2);
}

TEST_F(Measure, KeepsToItsBudget) {
    Job job(command(2, {"--budget", "1s", "--repetitions", "100000"}), out());
    const auto started = std::chrono::steady_clock::now();
    ASSERT_EQ(job.wait(20), 0) << job.errors();
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(8));
    EXPECT_NE(job.output().find("budget used up"), std::string::npos) << job.output();
    EXPECT_NE(job.output().find("are on one host"), std::string::npos) << job.output();
}

TEST_F(Measure, LosesAndDoublesNothingInTwentyKills) {
    std::mt19937 random(2007);
    const auto endless = command(3, {"--json", "--budget", "60s", "--repetitions", "100000"});
    Times before;
    std::size_t said = 0;
    for (int trial = 0; trial < 20; ++trial) {
        Job job(endless, out());
        ASSERT_TRUE(job.printed(1, 20)) << job.errors();
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 400));
        switch (trial % 3) {
        case 0: // everything at once
            for (const pid_t pid : job.others())
                job.signal(pid, SIGKILL);
            job.signal(job.pid(), SIGKILL);
            break;
        case 1: // the writer of the store
            ASSERT_TRUE(job.signal(job.rank(0), SIGKILL));
            break;
        default: // the launcher: its ranks must not live on
            job.signal(job.pid(), SIGKILL);
        }
        EXPECT_NE(job.wait(20), -1) << "trial " << trial << " hangs";
        ASSERT_TRUE(job.vanished(20)) << "trial " << trial << " left processes";
        const auto there = stored(store_);
        const auto lines = printed(job.output());
        said += lines.size();
        expect_all_stored(lines, there);
        expect_all_stored(before, there);
        before = there;
    }
    EXPECT_GE(before.size(), said);
    EXPECT_GT(said, 100U);
}

TEST_F(Measure, StopsCleanlyOnASignalToAnyRank) {
    for (const int rank : {0, 1}) {
        Job job(command(3, {"--budget", "60s", "--repetitions", "100000", "--json"}), out());
        ASSERT_TRUE(job.printed(20, 20)) << job.errors();
        ASSERT_TRUE(job.signal(job.rank(rank), rank == 0 ? SIGINT : SIGTERM));
        EXPECT_EQ(job.wait(20), 0) << job.errors();
        EXPECT_TRUE(job.vanished(5));
        EXPECT_NE(job.errors().find("stopped by a signal"), std::string::npos) << job.errors();
        expect_all_stored(printed(job.output()), stored(store_));
    }
}

TEST_F(Measure, StopsWhenItsLauncherIsInterrupted) {
    Job job(command(3, {"--budget", "60s", "--repetitions", "100000", "--json"}), out());
    ASSERT_TRUE(job.printed(20, 20)) << job.errors();
    ASSERT_TRUE(job.signal(job.pid(), SIGINT));
    EXPECT_NE(job.wait(20), -1) << "hangs";
    EXPECT_TRUE(job.vanished(10));
    expect_all_stored(printed(job.output()), stored(store_));
}

TEST_F(Measure, LeadsCollectivesAsToldAndKeepsToIt) {
    const Words led{"--only",  "collectives", "--collectives", "alltoall",
                    "--sizes", "1KiB",        "--repetitions", "3",
                    "--procs", "2,3",         "--algorithms",  "mpi",
                    "--start", "back-to-back"};
    Job first(command(3, led), out());
    ASSERT_EQ(first.wait(40), 0) << first.errors();
    EXPECT_EQ(Campaign::read(store_)->surroundings()->lead, Lead::back_to_back);
    const auto there = stored(store_);
    EXPECT_GE(there.size(), 6U + 2U) << "two points, each with warm-ups";
    auto other = led;
    other.back() = "silence";
    Job again(command(3, other), out());
    EXPECT_EQ(again.wait(40), 2);
    EXPECT_NE(again.errors().find("here they follow a silence (--start silence)"),
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
    refused({"--only", "gossip"}, 2, "there are p2p, plogp, links");
    refused({"--clusters", "3+3"}, 2, "but 2 ranks were started");
    refused({"--budget", "12parsecs"}, 2, "unknown unit 'parsecs'");
    refused({"--sizes", "12parsecs"}, 2, "--sizes: '12parsecs' is not a size");
    refused({"--start", "gun"}, 2, "--start: 'gun' is none of silence, barrier, back-to-back");
    refused({"--procs", "0+3"}, 2, "--procs: ");
    std::ofstream(store_) << "this is a text file, and long enough to have a header\n";
    refused({}, 2, "is no SQLite database");
    store_ = "/no/such/folder/net.db";
    refused({}, 2, "/no/such/folder/net.db");
}

TEST(MeasureAlone, AsksForALauncher) {
    Job job({"env", "-u", "OMPI_COMM_WORLD_RANK", ALLTOLD_BINARY, "measure"},
            fs::path(testing::TempDir()) / fmt::format("alltold-alone-{}", getpid()));
    EXPECT_EQ(job.wait(10), 2);
    EXPECT_NE(job.errors().find("mpirun -n 12"), std::string::npos) << job.errors();
}

/// The network namespaces of a job's processes, as their links name them.
std::vector<fs::path> namespaces(const std::vector<pid_t>& pids) {
    std::vector<fs::path> found;
    std::error_code gone;
    const auto own = fs::read_symlink("/proc/self/ns/net");
    for (const pid_t pid : pids)
        if (auto link = fs::read_symlink(fmt::format("/proc/{}/ns/net", pid), gone);
            !gone && link != own)
            found.push_back(std::move(link));
    return found;
}

/// Names of the processes on this machine that are in one of `asked`.
std::string who_is_in(const std::vector<fs::path>& asked) {
    std::string names;
    for (const auto& entry : fs::directory_iterator("/proc"))
        if (const int pid = std::atoi(entry.path().filename().c_str()); pid > 0)
            for (const auto& link : namespaces({pid}))
                if (std::find(asked.begin(), asked.end(), link) != asked.end()) {
                    std::string name;
                    std::getline(std::ifstream(entry.path() / "comm"), name);
                    names += fmt::format("{} ({}) ", name, pid);
                }
    return names;
}

/// A killed process is not gone at once.
bool soon(const std::function<bool()>& holds) {
    for (int i = 0; i < 500 && !holds(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return holds();
}

TEST_F(Measure, LosesNothingWhenTheLabIsKilledAndLeavesNoNamespace) {
    if (std::string why; !lab::lab_permitted(&why))
        GTEST_SKIP() << "no labs here: " << why;
    const std::string launcher = fs::path(MPIEXEC).filename();
    for (int trial = 0; trial < 2; ++trial) {
        Job job({ALLTOLD_BINARY, "lab", "--clusters", "2+1", "--", launcher, "-n", "3",
                 ALLTOLD_BINARY, "measure", "--store", store_.string(), "--json", "--budget", "60s",
                 "--repetitions", "1000"},
                out());
        ASSERT_TRUE(job.printed(10, 30)) << job.errors();
        std::this_thread::sleep_for(std::chrono::milliseconds(150 * trial));
        const auto lab_namespaces = namespaces(job.others());
        EXPECT_FALSE(lab_namespaces.empty());
        ASSERT_TRUE(job.signal(job.pid(), SIGKILL));
        EXPECT_EQ(job.wait(10), 128 + SIGKILL);
        ASSERT_TRUE(job.vanished(20)) << "processes of the lab live on";
        EXPECT_TRUE(soon([&] { return who_is_in(lab_namespaces).empty(); }))
            << who_is_in(lab_namespaces) << "still in a namespace of the lab";
        expect_all_stored(printed(job.output()), stored(store_));
    }
}

} // namespace
} // namespace alltold::measure_tests

// SPDX-License-Identifier: BSD-3-Clause
// Campaigns that are killed or interrupted: nothing that was said to be stored is lost.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include <unistd.h>

#include "campaign_fixture.hpp"
#include "lab/lab.hpp"

namespace alltold::campaign_tests {
namespace {

TEST_F(Measure, LosesAndDoublesNothingInTwentyKills) {
    std::mt19937 random(2007);
    const auto endless = command(3, {"--json", "--budget", "60s", "--repetitions", "100000"});
    Times before;
    std::size_t said = 0;
    for (int trial = 0; trial < 20; ++trial) {
        Job job(endless, out());
        ASSERT_TRUE(job.printed(1 + static_cast<int>(random() % 30), 20)) << job.errors();
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 50));
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
        EXPECT_EQ(job.wait(20), 1) << job.errors();
        EXPECT_TRUE(job.vanished(5));
        EXPECT_NE(job.errors().find("stopped by a signal"), std::string::npos) << job.errors();
        expect_all_stored(printed(job.output()), stored(store_));
    }
}

TEST_F(Measure, OfARunThatASignalStopsHasNotDoneItsWork) {
    for (const int rank : {0, 1}) {
        Job job({MPI_LAUNCH, MPIEXEC, "2", ALLTOLD_BINARY, "run", "bcast", "--algorithm", "mpi",
                 "-m", "8", "--budget", "60s"},
                out());
        ASSERT_TRUE(job.catches(rank, SIGTERM, 20)) << job.errors();
        ASSERT_TRUE(job.signal(job.rank(rank), SIGTERM));
        EXPECT_EQ(job.wait(20), 1) << job.errors();
        EXPECT_NE(job.output().find("stopped by a signal"), std::string::npos) << job.errors();
    }
}

TEST_F(Measure, FailsWhenItsStoreIsTakenAway) {
    for (const bool removed : {false, true}) {
        Job job(command(3, {"--budget", "60s", "--repetitions", "100000", "--json"}), out());
        ASSERT_TRUE(job.printed(20, 20)) << job.errors();
        if (removed)
            fs::remove(store_);
        else
            fs::resize_file(store_, 0);
        EXPECT_EQ(job.wait(20), 3) << job.errors();
        EXPECT_NE(job.errors().find("net.db: was removed, replaced or cut"), std::string::npos)
            << job.errors();
        fs::remove(store_);
        fs::remove(store_.string() + "-wal");
        fs::remove(store_.string() + "-shm");
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
    if (const auto& permitted = lab::lab_permitted(); !permitted)
        GTEST_SKIP() << "no labs here: " << permitted.error().message;
    for (int trial = 0; trial < 2; ++trial) {
        Job job({ALLTOLD_BINARY, "lab", "--clusters", "2+1", "--", LAB_LAUNCHER, "-n", "3",
                 ALLTOLD_BINARY, "measure", store_.string(), "--json", "--budget", "60s",
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
} // namespace alltold::campaign_tests

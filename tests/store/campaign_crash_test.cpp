// SPDX-License-Identifier: BSD-3-Clause
// A writer killed at random moments: nothing lost, nothing doubled, the next one carries on.
#include "store/campaign.hpp"

#include <chrono>
#include <csignal>
#include <map>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.hpp"

namespace alltold {
namespace {

using test::alltoall_point;
using test::four_hosts;
using test::Scratch;

/// Samples that a child adds before it is killed.
constexpr int mean_samples = 10;

/// What the child says down the pipe as soon as add() has returned.
struct Report {
    std::uint64_t size_bytes;
    int repetition;
    double time_s;
};

/// Adds samples until it is killed.
[[noreturn]] void measure_for_ever(const std::filesystem::path& path, int pipe, unsigned seed) {
    auto campaign = Campaign::resume(path, four_hosts(), seed);
    std::mt19937_64 random(seed);
    while (campaign) {
        const std::uint64_t size_bytes = 1024U << random() % 5;
        const double time_s = std::uniform_real_distribution<>(1e-3, 1)(random);
        const auto repetition = campaign->add(alltoall_point(size_bytes), time_s, false);
        if (!repetition)
            break;
        const Report report{size_bytes, *repetition, time_s};
        if (::write(pipe, &report, sizeof report) != sizeof report)
            break;
    }
    ::_exit(1);
}

/// Lets a child add a random number of samples and work on the next one for a random while, kills
/// it, and returns what it reported.
std::vector<Report> measure_and_kill(const std::filesystem::path& path, unsigned seed) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0)
        measure_for_ever(path, ends[1], seed);
    ::close(ends[1]);
    std::mt19937 random(seed);
    std::vector<Report> reports;
    const auto next = [&] {
        Report report;
        if (::read(ends[0], &report, sizeof report) != sizeof report)
            return false;
        reports.push_back(report);
        return true;
    };
    const auto begin = std::chrono::steady_clock::now();
    const int before_kill = std::uniform_int_distribution<>(0, 2 * mean_samples)(random);
    for (int i = 0; i < before_kill && next(); ++i)
        continue;
    // As long as up to two samples took, on a disk of any speed.
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    std::this_thread::sleep_for(taken / (before_kill + 1) *
                                std::uniform_real_distribution<>(0, 2)(random));
    ::kill(child, SIGKILL);
    while (next())
        continue;
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child gave up before it was killed";
    return reports;
}

TEST(CampaignCrash, twenty_kills_lose_and_double_nothing) {
    const Scratch scratch;
    const auto path = scratch / "net.db";
    std::map<std::pair<std::uint64_t, int>, double> reported;
    constexpr int kills = 20;
    for (unsigned seed = 1; seed <= kills; ++seed)
        for (const auto& [size_bytes, repetition, time_s] : measure_and_kill(path, seed))
            EXPECT_TRUE(reported.emplace(std::pair(size_bytes, repetition), time_s).second)
                << "a repetition number was given twice";
    ASSERT_GT(reported.size(), kills * mean_samples / 2U) << "too few samples to say anything";

    ASSERT_TRUE(Campaign::resume(path, four_hosts(), 0));
    const auto campaign = Campaign::read(path);
    ASSERT_TRUE(campaign) << campaign.error().message;
    const auto points = campaign->points();
    ASSERT_TRUE(points);
    std::map<std::pair<std::uint64_t, int>, double> stored;
    for (const auto& [point, samples, unit] : *points)
        for (int expected = 0; const auto& sample : samples) {
            EXPECT_EQ(sample.repetition, expected++);
            stored.emplace(std::pair(point.size_bytes, sample.repetition), sample.value);
        }
    for (const auto& [key, time_s] : reported) {
        const auto found = stored.find(key);
        ASSERT_NE(found, stored.end()) << "lost: " << key.first << " B, " << key.second;
        EXPECT_EQ(found->second, time_s);
    }
    // A kill between the commit and the report leaves at most one sample no report tells of.
    EXPECT_LE(stored.size(), reported.size() + kills);
}

} // namespace
} // namespace alltold

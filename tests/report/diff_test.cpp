// SPDX-License-Identifier: BSD-3-Clause
// Campaigns compared: no change is seldom called one, and a slower backbone is found.
#include "report/diff/campaign_diff.hpp"

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace alltold {
namespace {

/// What a campaign sees of one network.
struct Seen {
    double backbone_slower = 1; ///< factor on the time of bytes between clusters
    double drift = 0.03;        ///< sd of log time between campaigns, apart for each point
    double timeouts = 0.15;     ///< share of repetitions that take 200 ms more
};

/// Points as a study takes them, few repetitions each.
std::vector<PointSamples> campaign(const Seen& network, std::uint64_t seed) {
    Random random(seed);
    std::vector<PointSamples> points;
    const auto add = [&](const Point& point, double time_s, int repetitions, double timeouts) {
        const double drifted_s = time_s * std::exp(network.drift * random.normal());
        PointSamples samples{point, {{0, 1, true, 0}}};
        for (int i = 1; i <= repetitions; ++i)
            samples.samples.push_back({i,
                                       drifted_s * std::exp(0.04 * random.normal()) +
                                           (random.uniform() < timeouts ? 0.2 : 0),
                                       false, 0});
        points.push_back(std::move(samples));
    };
    for (const std::uint64_t size : {1024, 4096, 8192, 16384, 32768, 65536, 131072, 262144}) {
        const auto m = static_cast<double>(size);
        for (const int pair : {1, 2})
            add({"pingpong", "mpi", Clusters({2}), size, 0, pair}, 2e-4 + m * 1e-7, 10, 0);
        add({"pingpong", "mpi", Clusters({1, 1}), size, 0, 5},
            5e-3 + m * 2e-7 * network.backbone_slower, 10, 0);
        for (const char* collective : {"bcast", "scatter", "gather", "alltoall"})
            for (const char* algorithm : {"mpi", "ours.one", "ours.two"}) {
                add({collective, algorithm, Clusters({4}), size}, 1e-3 + 6 * m * 1e-7, 4,
                    network.timeouts);
                add({collective, algorithm, Clusters({4, 3}), size},
                    1e-2 + 12 * m * 2e-7 * network.backbone_slower, 4, network.timeouts);
            }
    }
    return points;
}

TEST(CampaignDiff, raises_a_false_alarm_in_at_most_one_of_twenty) {
    for (const double drift : {0., 0.03, 0.15}) {
        int alarms = 0;
        constexpr int pairs = 100;
        for (int i = 0; i < pairs; ++i) {
            const Seen network{.drift = drift};
            const auto seed = static_cast<std::uint64_t>(1000 + 2 * i);
            // Any change that counts, however small: the threshold must not be what saves us.
            const auto diff =
                compare_campaigns(campaign(network, seed), campaign(network, seed + 1), 1e-9);
            bool alarm = diff.regressed();
            for (const auto& group : diff.groups)
                alarm |= diff.change(group.log_ratio.value, group.p) != Change::none;
            alarms += alarm;
        }
        EXPECT_LE(alarms, pairs / 20 + 4) << drift; // 5 expected at most, and 2 standard errors
    }
}

TEST(CampaignDiff, finds_a_backbone_that_is_15_percent_slower) {
    int found = 0, wrong = 0;
    constexpr int pairs = 60;
    for (int i = 0; i < pairs; ++i) {
        const auto seed = static_cast<std::uint64_t>(5000 + 2 * i);
        const auto diff = compare_campaigns(campaign({}, seed),
                                            campaign({.backbone_slower = 1 / 0.85}, seed + 1), 0.1);
        found += diff.regressed();
        for (const auto& group : diff.groups)
            if (group.what.find("within a cluster") != group.what.npos)
                wrong += diff.change(group.log_ratio.value, group.p) != Change::none;
    }
    EXPECT_GE(found, 0.9 * pairs);
    EXPECT_LE(wrong, pairs / 20);
}

TEST(CampaignDiff, a_campaign_does_not_differ_from_itself) {
    const auto points = campaign({}, 1);
    const auto diff = compare_campaigns(points, points, 0.1);
    EXPECT_FALSE(diff.regressed());
    EXPECT_EQ(diff.points.size(), points.size());
    EXPECT_EQ(diff.only_before + diff.only_after, 0);
    EXPECT_NE(diff_text(diff).find("No change beyond noise."), std::string::npos);
}

TEST(CampaignDiff, tells_slower_from_faster_and_fits_100_columns) {
    const auto before = campaign({}, 1), after = campaign({.backbone_slower = 2}, 2);
    const auto slower = compare_campaigns(before, after, 0.1);
    const auto faster = compare_campaigns(after, before, 0.1);
    EXPECT_TRUE(slower.regressed());
    EXPECT_FALSE(faster.regressed());
    EXPECT_NE(diff_text(slower).find("SLOWER"), std::string::npos);
    EXPECT_NE(diff_text(faster).find("faster"), std::string::npos);
    std::istringstream text(diff_text(slower));
    for (std::string line; std::getline(text, line);)
        EXPECT_LE(line.size(), 100U) << line;
    EXPECT_EQ(diff_to_json(slower)["points"].size(), slower.points.size());
}

TEST(CampaignDiff, of_too_few_points_has_no_interval) {
    CampaignDiff diff;
    diff.groups = {{"few", 2, {0.1, -INFINITY, INFINITY}, 1}};
    const auto change = nlohmann::json::parse(diff_to_json(diff).dump())["groups"][0]["change"];
    EXPECT_DOUBLE_EQ(change["value"], std::expm1(0.1));
    EXPECT_TRUE(change["low"].is_null() && change["high"].is_null());
}

TEST(CampaignDiff, counts_what_only_one_campaign_has) {
    auto before = campaign({}, 1), after = campaign({}, 2);
    before.pop_back();
    after.erase(after.begin(), after.begin() + 2);
    const auto diff = compare_campaigns(before, after, 0.1);
    EXPECT_EQ(diff.only_before, 2);
    EXPECT_EQ(diff.only_after, 1);
}

} // namespace
} // namespace alltold

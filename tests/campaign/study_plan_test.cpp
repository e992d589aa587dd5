// SPDX-License-Identifier: BSD-3-Clause
// What a study measures: calls that fit its hosts, and held-out calls that were never measured.
#include "campaign/study/plan.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "campaign/policies/sequential_design.hpp"
#include "predict/library/library_algorithms.hpp"
#include "store/fit_campaign.hpp"
#include "topology/rank_order.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

Network network_of(const Clusters& hosts) {
    Network made;
    made.links = LinkNetwork{{6e6, 100e-6, 65536}, {}, 20e-6};
    if (hosts.count() > 1) {
        made.links->backbone = Link{12e6, 10e-3, 262144};
        made.links->initial_window_bytes = ten_segments_bytes;
    }
    return made;
}

bool fits(const Clusters& layout, const Clusters& hosts) {
    std::vector<std::vector<int>> ranks;
    for (const int there : place_of(layout, hosts)) {
        auto& taken = ranks.emplace_back(hosts.ranks_of_hosts()[static_cast<std::size_t>(there)]);
        taken.resize(static_cast<std::size_t>(layout.hosts(static_cast<int>(ranks.size()) - 1)));
    }
    return layout.hosts() >= 2 && !ranks.empty() && layout == Clusters::of_hosts(ranks);
}

class StudyCalls : public testing::TestWithParam<Clusters> {};

} // namespace

TEST_P(StudyCalls, CoverEveryCollectiveByTheLibraryAndByOurs) {
    const auto& hosts = GetParam();
    Profile profile;
    profile.provenance.clusters = hosts;
    profile.network = network_of(hosts);
    const auto calls = study_calls(profile, {});
    std::set<std::pair<std::string, bool>> reported_on_all;
    for (const auto& call : calls) {
        EXPECT_TRUE(fits(call.clusters, hosts)) << call.clusters.text();
        EXPECT_EQ(std::ranges::count(calls, point_of(call), point_of), 1);
        if (call.weight > 0 && call.clusters == hosts)
            reported_on_all.emplace(call.probe.text(), call.choice.is_default());
    }
    EXPECT_EQ(reported_on_all.size(), 16U) << "seven collectives, all-to-alls from two starts";
}

TEST_P(StudyCalls, AreOfTheCollectivesThatAreNamed) {
    const auto& hosts = GetParam();
    Profile profile;
    profile.provenance.clusters = hosts;
    profile.network = network_of(hosts);
    const std::vector named{Collective::barrier, Collective::reduce};
    const std::vector<PointSamples> measured{{{"bcast", "mpi", hosts, 64}, {{0, 1, false, 0}}}};
    std::set<std::pair<std::string, bool>> reported_on_all;
    for (const auto& call : study_calls(profile, measured, named)) {
        if (call.weight > 0 && call.clusters == hosts)
            reported_on_all.emplace(call.probe.text(), call.choice.is_default());
        EXPECT_EQ(call.size_bytes == 0, call.probe.collective == Collective::barrier);
    }
    EXPECT_EQ(reported_on_all,
              (std::set<std::pair<std::string, bool>>{
                  {"barrier", true}, {"barrier", false}, {"reduce", true}, {"reduce", false}}));
    const auto held_out = random_calls(profile, {}, 7, 3, 20, named);
    ASSERT_FALSE(held_out.empty());
    for (const auto& point : held_out)
        EXPECT_EQ(point.size_bytes == 0, point.probe == "barrier") << point.probe;
}

TEST_P(StudyCalls, HeldOutCallsAreNewShortAndTheSameForASeed) {
    const auto& hosts = GetParam();
    Profile profile;
    profile.provenance.clusters = hosts;
    profile.network = network_of(hosts);
    const auto held_out = random_calls(profile, {}, 7, 3, 20);
    ASSERT_FALSE(held_out.empty());
    EXPECT_EQ(held_out, random_calls(profile, {}, 7, 3, 20));
    EXPECT_NE(held_out, random_calls(profile, {}, 8, 3, 20));
    EXPECT_LE(random_calls(profile, {}, 7, 3, 1).size(), held_out.size());
    std::vector<PointSamples> measured;
    for (const auto& point : held_out) {
        EXPECT_TRUE(fits(point.clusters, hosts)) << point.clusters.text();
        EXPECT_GE(point.n(), 2);
        measured.push_back({point, {{0, 1, false, 0}}});
    }
    for (const auto& point : random_calls(profile, measured, 7, 3, 20))
        EXPECT_EQ(std::ranges::count(held_out, point), 0);
}

INSTANTIATE_TEST_SUITE_P(Hosts, StudyCalls,
                         testing::Values(Clusters({2}), Clusters({7}), Clusters({3, 4}),
                                         Clusters({2, 3, 1}), Clusters({1, 4}),
                                         Clusters({1, 1, 1})));

TEST(StudyLayouts, AreOfWholeHosts) {
    for (const auto* text : {"8x3", "4x3+4x3", "1x4/1x3/1/1x4", "1x2+1x2", "1x4"}) {
        const auto hosts = *Clusters::parse(text);
        const auto layouts = measured_layouts(hosts);
        EXPECT_EQ(layouts.front(), hosts);
        for (const auto& layout : layouts)
            EXPECT_TRUE(fits(layout, hosts) || hosts.hosts() == 1) << layout.text();
    }
    EXPECT_EQ(reported_layouts(*Clusters::parse("8x3")).back().text(), "4x3");
}

TEST(StudyLayouts, OfOneClusterAreInTheLargest) {
    for (const auto& [hosts, largest] :
         {std::pair("1+4", "4"), std::pair("2+7", "7"), std::pair("6+1+1", "6")})
        EXPECT_EQ(reported_layouts(*Clusters::parse(hosts)).back().text(), largest);
}

TEST(StudySizes, BetweenPowersOfTwoAreWhereRulesAreDecided) {
    ASSERT_FALSE(sizes_between_rule_sizes().empty());
    for (const auto size_bytes : sizes_between_rule_sizes())
        EXPECT_TRUE(size_bytes % 3 == 0 && std::has_single_bit(size_bytes / 3)) << size_bytes;
}

TEST(ForcedCalls, AreBesideTheLibrarysOwnChoiceAtAllReportedSizes) {
    const auto campaign = Campaign::read(GOLDEN_STORE);
    ASSERT_TRUE(campaign) << campaign.error().message;
    const auto points = campaign->points();
    const auto provenance = campaign->provenance();
    ASSERT_TRUE(points && provenance);
    auto profile = fit_points(*points, *provenance, {.name = "study", .source = "study.db"});
    const auto& hosts = profile.provenance.clusters;
    std::set<std::string> forced;
    std::map<std::string, std::size_t> calls;
    for (const auto& point : forced_calls(profile, hosts, papers_collectives)) {
        EXPECT_EQ(point.clusters, hosts);
        ++calls[point.probe + " " + point.algorithm];
        if (point.algorithm != "mpi") {
            EXPECT_TRUE(names_library_algorithm(point.algorithm)) << point.algorithm;
            EXPECT_EQ(point.algorithm.find(' '), std::string::npos)
                << "no variable sets its segment";
            forced.insert(point.probe + " " + point.algorithm);
            EXPECT_EQ(calls[point.probe + " mpi"], calls[point.probe + " " + point.algorithm]);
        }
    }
    EXPECT_FALSE(forced.empty());
    for (const auto& name : forced)
        EXPECT_EQ(calls[name], reported_sizes().size()) << name;
    profile.provenance.mpi_library = "MPICH Version: 4.0.2";
    EXPECT_TRUE(forced_calls(profile, hosts, papers_collectives).empty());
}

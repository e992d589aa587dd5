// SPDX-License-Identifier: BSD-3-Clause
// A campaign's points go into the right fits, and what cannot be fitted is named.
#include "store/fit_campaign.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "network/cost_model.hpp"
#include "network/half_duplex.hpp"
#include "predict/library/library_prediction.hpp"
#include "scratch.hpp"
#include "store/profile_json.hpp"

namespace alltold {
namespace {

constexpr Hockney local{100e-6, 170e-9};
constexpr Hockney inter_cluster{5e-3, 45e-9};
constexpr Signature signature{2.2, 3e-3, 16384};
const std::vector<std::uint64_t> sizes{1024, 4096, 16384, 65536, 262144};

PointSamples samples_of(const Point& point, double time_s, Random& random, int repetitions = 10) {
    PointSamples samples{point, {{0, 100 * time_s, true, 0}}}; // a warm-up that would spoil it all
    for (int i = 1; i <= repetitions; ++i)
        samples.samples.push_back({i, time_s * (1 + 0.02 * random.normal()), false, 0});
    return samples;
}

/// Two clusters of four: pairs within and across, all-to-alls of the first and across.
std::vector<PointSamples> measured() {
    Random random(1);
    std::vector<PointSamples> points;
    for (const auto size : sizes) {
        const auto m = static_cast<double>(size);
        for (const auto& [a, b] : {std::pair{0, 1}, std::pair{2, 3}, std::pair{4, 7}})
            points.push_back(samples_of({"pingpong", "mpi", Clusters({2}), size, a, b},
                                        local.time_s(m), random));
        points.push_back(samples_of({"pingpong", "mpi", Clusters({1, 1}), size, 0, 4},
                                    inter_cluster.time_s(m), random));
        for (const int n : {3, 4})
            points.push_back(samples_of({"alltoall", "mpi", Clusters({n}), size, -1, -1},
                                        alltoall_time_s(local, signature, n, m), random));
        points.push_back(
            samples_of({"alltoall", "mpi", Clusters({4, 4}), size, -1, -1}, 10, random));
        points.push_back(
            samples_of({"alltoall", "pairwise", Clusters({4}), size, -1, -1}, 20, random));
    }
    return points;
}

Provenance two_clusters() {
    Provenance where;
    where.clusters = Clusters({4, 4});
    where.hosts.assign(8, "h");
    return where;
}

TEST(FitCampaign, sorts_points_into_their_fits) {
    const auto profile = fit_points(measured(), two_clusters(), {"net", "net.db"});
    EXPECT_TRUE(profile.refused.empty()) << profile.refused.front().reason;
    ASSERT_TRUE(profile.network.local && profile.network.inter_cluster && profile.network.alltoall);
    EXPECT_NEAR(profile.network.local->beta_s_per_byte.value / local.beta_s_per_byte, 1, 0.03);
    EXPECT_NEAR(profile.network.inter_cluster->beta_s_per_byte.value /
                    inter_cluster.beta_s_per_byte,
                1, 0.06);
    EXPECT_NEAR(profile.network.inter_cluster->latency_s.value / inter_cluster.time_s(1024), 1,
                0.03);
    EXPECT_EQ(profile.network.alltoall->reference_n, 4);
    EXPECT_NEAR(profile.network.alltoall->gamma.value, 2.2, 0.15);
    EXPECT_EQ(profile.network.alltoall->threshold_bytes.value, 16384);
    EXPECT_EQ(profile.network.alltoall->sizes_bytes.size(), sizes.size());
    EXPECT_NE(profile.network.alltoall->saturation_reason.find("n = 3"), std::string::npos);
    EXPECT_EQ(profile.name, "net");
    EXPECT_EQ(profile.source, "net.db");
}

TEST(FitCampaign, notes_points_with_too_few_repetitions) {
    auto points = measured();
    Random random(2);
    points.push_back(samples_of({"pingpong", "mpi", Clusters({2}), 2048, 0, 1}, 1, random, 2));
    const auto profile = fit_points(points, two_clusters(), {"net", "net.db"});
    EXPECT_TRUE(profile.refused.empty()) << profile.refused.front().what;
    ASSERT_EQ(profile.notes.size(), 3U);
    EXPECT_EQ(profile.notes[2].text,
              "5 points of 1 without a schedule, such as pairwise, are known by "
              "their measured times alone");
    EXPECT_EQ(profile.notes[0].what, "models of algorithms not compared");
    EXPECT_EQ(profile.notes[1].what, "points");
    EXPECT_EQ(profile.notes[1].text,
              "1 with fewer than 3 repetitions ignored, such as pingpong 0-1 at 2 KiB (2)");
}

/// The second cluster: links of half the rate, and less contention, with a step elsewhere.
constexpr Hockney second_local{100e-6, 340e-9};
constexpr Signature second_signature{1.4, 9e-3, 65536};

std::vector<PointSamples> measured_in_both() {
    Random random(3);
    auto points = measured();
    for (auto& samples : points)
        if (samples.point.probe == "pingpong" && samples.point.first_rank == 4)
            samples = samples_of(samples.point,
                                 second_local.time_s(static_cast<double>(samples.point.size_bytes)),
                                 random);
    for (const auto size : sizes)
        points.push_back(samples_of(
            {"within:alltoall", "mpi", Clusters({4}), size, 4},
            alltoall_time_s(second_local, second_signature, 4, static_cast<double>(size)), random));
    return points;
}

TEST(FitCampaign, fits_a_signature_of_each_cluster) {
    const auto profile = fit_points(measured_in_both(), two_clusters(), {"net", "net.db"});
    EXPECT_TRUE(profile.refused.empty()) << profile.refused.front().reason;
    ASSERT_TRUE(profile.network.alltoall);
    EXPECT_NEAR(profile.network.alltoall->gamma.value, 2.2, 0.15);
    EXPECT_EQ(profile.network.alltoall->threshold_bytes.value, 16384);
    const auto& second = profile.network.signature_in(1);
    EXPECT_NEAR(second.network.beta_s_per_byte / second_local.beta_s_per_byte, 1, 0.05);
    EXPECT_NEAR(second.gamma.value, 1.4, 0.1);
    EXPECT_NEAR(second.delta_s.value, 9e-3, 3e-3);
    EXPECT_EQ(second.threshold_bytes.value, 65536);
    EXPECT_EQ(profile.network.library.size(),
              fit_points(measured(), two_clusters(), {"net", "net.db"}).network.library.size())
        << "the library's times are those of the first cluster";

    const auto copy = profile_from_json(profile_to_json(profile).dump(), "net.json");
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_EQ(copy->network.signature_in(1).gamma.high, second.gamma.high);
    EXPECT_EQ(copy->network.signature_in(1).threshold_bytes.low, second.threshold_bytes.low);
}

TEST(FitCampaign, a_cluster_that_was_not_measured_has_the_first_ones_signature) {
    const auto profile = fit_points(measured(), two_clusters(), {"net", "net.db"});
    const auto json = profile_to_json(profile);
    EXPECT_FALSE(json.contains("alltoall_of_clusters")) << "as in profiles of earlier versions";
    const auto copy = profile_from_json(json.dump(), "net.json");
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_EQ(&copy->network.signature_in(1), &*copy->network.alltoall);

    auto wrong = profile_to_json(fit_points(measured_in_both(), two_clusters(), {"net", "net.db"}));
    auto& others = wrong["alltoall_of_clusters"];
    others.push_back(others.front());
    const auto twice = profile_from_json(wrong.dump(), "net.json");
    ASSERT_FALSE(twice);
    EXPECT_NE(twice.error().message.find("signature already"), std::string::npos);
}

TEST(FitCampaign, finds_the_half_duplex_factor_from_calls_of_both_starts) {
    Random random(5);
    auto points = measured();
    PointSamples searches{{"eager", "mpi", Clusters({2}), 4 << 20, 0, 1}, {{0, 77, true, 0}}};
    for (int i = 1; i <= 3; ++i)
        searches.samples.push_back({i, 12000, false, 0});
    points.push_back(searches);
    for (const auto size : sizes) // eager ones are as quick as after a silence
        for (const int n : {3, 4})
            points.push_back(
                samples_of({"barrier:alltoall", "mpi", Clusters({n}), size, -1, -1},
                           (size > 12000 ? 1.6 : 1) *
                               alltoall_time_s(local, signature, n, static_cast<double>(size)),
                           random));
    auto profile = fit_points(points, two_clusters(), {"net", "net.db"});
    const auto& fit = profile.network.half_duplex;
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->calls, 6);
    EXPECT_NEAR(fit->factor.value, 1.6, 0.05);
    EXPECT_TRUE(fit->factor.covers(1.6));
    EXPECT_FALSE(fit->applies);
    const auto copy = profile_from_json(profile_to_json(profile).dump(), "net.json");
    ASSERT_TRUE(copy) << copy.error().message;
    ASSERT_TRUE(copy->network.half_duplex);
    EXPECT_EQ(copy->network.half_duplex->factor.high, fit->factor.high);
    EXPECT_FALSE(fit_points(measured(), two_clusters(), {}).network.half_duplex);

    // No call of eight was measured after a barrier; those of one cluster tell the factor.
    const auto time_s = [&](const Network& network) {
        return predict_library(network, Collective::alltoall, Clusters({4, 4}), 65536)
            ->time_s.value;
    };
    auto bare = copy->network;
    bare.corrections.clear();
    bare.alltoall.reset();
    EXPECT_NEAR(time_s(network_after(copy->network, StartMode::barrier)),
                fit->factor.value * time_s(bare), 1e-9);
}

TEST(FitCampaign, takes_the_eager_limit_and_with_it_M_of_the_signature) {
    auto points = measured();
    const auto searches = [&](std::vector<double> found_bytes) {
        PointSamples samples{{"eager", "mpi", Clusters({2}), 4 << 20, 0, 1}, {{0, 77, true, 0}}};
        for (const double bytes : found_bytes)
            samples.samples.push_back({static_cast<int>(samples.samples.size()), bytes, false, 0});
        return samples;
    };
    points.push_back(searches({12000, 12000, 11000}));
    const auto profile = fit_points(points, two_clusters(), {"net", "net.db"});
    EXPECT_TRUE(profile.refused.empty()) << profile.refused.front().reason;
    ASSERT_TRUE(profile.network.eager_limit_bytes);
    EXPECT_EQ(profile.network.eager_limit_bytes->value, 12000);
    EXPECT_EQ(profile.network.eager_limit_bytes->low, 11000);
    EXPECT_EQ(profile.network.eager_limit_bytes->high, 12000);
    EXPECT_EQ(profile.network.alltoall->threshold_bytes.value, 12001);

    points.back() = searches({4 << 20, 4 << 20, 4 << 20});
    const auto never = fit_points(points, two_clusters(), {"net", "net.db"});
    EXPECT_FALSE(never.network.eager_limit_bytes);
    ASSERT_EQ(never.refused.size(), 1U);
    EXPECT_EQ(never.refused.front().what, "eager_limit");
    EXPECT_EQ(never.network.alltoall->threshold_bytes.value, 16384);
}

TEST(FitCampaign, makes_pLogP_of_its_probes_and_says_what_is_missing) {
    EXPECT_FALSE(fit_points(measured(), two_clusters(), {"net", "net.db"}).network.plogp);
    Random random(8);
    auto points = measured();
    const auto add = [&](const char* probe, std::uint64_t size, std::pair<int, int> pair,
                         double time_s) {
        points.push_back(samples_of({probe, "mpi", Clusters({2}), size, pair.first, pair.second},
                                    time_s, random));
    };
    for (const auto size : sizes) {
        const auto m = static_cast<double>(size);
        add("plogp.send", size, {0, 1}, 1e-9 * m);
        add("plogp.receive", size, {0, 1}, 2e-9 * m);
        add("plogp.gap", size, {0, 1}, 3e-8 * m);
        add("plogp.gap", size, {0, 4}, 1); // between clusters: not the cluster's
    }
    const auto without = fit_points(points, two_clusters(), {"net", "net.db"});
    ASSERT_EQ(without.refused.size(), 1U);
    EXPECT_EQ(without.refused.front().what, "plogp");
    EXPECT_EQ(without.refused.front().reason, "L: no round trips were measured");
    add("plogp.round_trip", 1024, {0, 1}, 1e-3 + 3e-8 * 1024);
    const auto profile = fit_points(points, two_clusters(), {"net", "net.db"});
    ASSERT_TRUE(profile.network.plogp) << profile.refused.front().reason;
    EXPECT_NEAR(profile.network.plogp->L_s.value, 1e-3, 1e-4);
    EXPECT_NEAR(profile.network.plogp->g_s(65536), 3e-8 * 65536, 1e-4);
    EXPECT_NEAR(profile.network.plogp->o_s(65536), 1e-9 * 65536, 4e-6);
    EXPECT_NEAR(profile.network.plogp->o_r(65536), 2e-9 * 65536, 8e-6);
}

TEST(FitCampaign, does_not_look_at_what_is_held_out) {
    FitRequest request;
    request.held_out = [](const Point& point) {
        return point.probe == "alltoall" && (point.n() == 4 || point.size_bytes == 4096);
    };
    const auto profile = fit_points(measured(), two_clusters(), request);
    ASSERT_TRUE(profile.network.alltoall);
    EXPECT_EQ(profile.network.alltoall->reference_n, 3);
    EXPECT_EQ(std::ranges::count(profile.network.alltoall->sizes_bytes, 4096.0), 0);
    EXPECT_EQ(profile.network.alltoall->saturation, Saturation::unknown);
}

TEST(FitCampaign, names_what_it_cannot_fit) {
    const auto nothing = fit_points({}, two_clusters(), {});
    ASSERT_EQ(nothing.refused.size(), 3U);
    EXPECT_EQ(nothing.refused[0].what, "local");
    EXPECT_EQ(nothing.refused[1].what, "inter_cluster");
    EXPECT_EQ(nothing.refused[2].what, "alltoall");
    EXPECT_FALSE(nothing.network.alltoall);

    FitRequest few;
    few.held_out = [](const Point& point) {
        return point.probe == "alltoall" && point.size_bytes > 16384;
    };
    const auto profile = fit_points(measured(), two_clusters(), few);
    EXPECT_TRUE(profile.network.local);
    ASSERT_EQ(profile.refused.size(), 1U);
    EXPECT_NE(profile.refused[0].reason.find("at least 4"), std::string::npos);
}

TEST(FitCampaign, leaves_out_points_of_too_few_repetitions_and_says_so) {
    Random random(2);
    auto points = measured();
    points.push_back(samples_of({"alltoall", "mpi", Clusters({4}), 524288, -1, -1}, 1, random, 2));
    const auto profile = fit_points(points, two_clusters(), {});
    ASSERT_TRUE(profile.network.alltoall);
    EXPECT_EQ(profile.network.alltoall->largest_bytes, 262144);
    EXPECT_TRUE(profile.refused.empty());
    ASSERT_EQ(profile.notes.size(), 3U);
    EXPECT_NE(profile.notes[1].text.find("alltoall of 4 at 512 KiB (2)"), std::string::npos)
        << profile.notes[1].text;
}

/// One time of each point, as another benchmark prints it.
std::vector<PointSamples> printed_once() {
    std::vector<PointSamples> points;
    for (const auto size : sizes)
        for (const auto& point : {Point{"pingpong", "mpi", Clusters({2}), size, 0, 1},
                                  Point{"alltoall", "mpi", Clusters({4}), size, -1, -1},
                                  Point{"alltoall", "pico.bine", Clusters({4}), size, -1, -1},
                                  Point{"loop:bcast", "mpi", Clusters({4}), size, -1, -1}}) {
            const auto m = static_cast<double>(size);
            const double time_s = point.probe == "pingpong"
                                      ? local.time_s(m)
                                      : alltoall_time_s(local, signature, 4, m);
            points.push_back({point, {{.value = time_s, .summary = Summary{1000, false}}}});
        }
    return points;
}

TEST(FitCampaign, takes_one_time_that_sums_up_many_calls_with_the_usual_scatter) {
    Provenance where;
    where.clusters = Clusters({4});
    where.hosts = {"a", "b", "c", "d"};
    auto points = printed_once();
    const auto profile = fit_points(points, where, {});
    ASSERT_TRUE(profile.network.local) << profile.refused.front().reason;
    const auto& beta = profile.network.local->beta_s_per_byte;
    EXPECT_NEAR(beta.value / local.beta_s_per_byte, 1, 0.01);
    EXPECT_GT(beta.relative_half_width(), 0.03); // though the times lie on a line
    ASSERT_TRUE(profile.network.alltoall);
    ASSERT_EQ(profile.network.library.size(), 2 * sizes.size());
    EXPECT_EQ(profile.network.library.back().algorithm, "pico.bine");
    const auto& time_s = profile.network.library.front().time_s;
    EXPECT_NEAR(time_s.high / time_s.value, std::exp(1.96 * usual_scatter), 1e-9);
    EXPECT_NEAR(time_s.value / time_s.low, std::exp(1.96 * usual_scatter), 1e-9);
    std::string notes;
    for (const auto& note : profile.notes)
        notes += note.text + "\n";
    EXPECT_NE(notes.find("such as pico.bine, are known by"), std::string::npos) << notes;
    EXPECT_NE(notes.find("such as loop:bcast, are kept but not fitted"), std::string::npos)
        << notes;
    EXPECT_EQ(notes.find("means over the ranks"), std::string::npos) << notes;

    for (auto& samples : points) // single calls tell no scatter, and nothing of other calls
        samples.samples.front().summary.reset();
    EXPECT_FALSE(fit_points(points, where, {}).network.local);
}

TEST(FitCampaign, survives_the_way_through_both_files) {
    const test::Scratch scratch;
    const auto database = scratch / "net.db";
    {
        auto campaign = Campaign::resume(database, two_clusters(), 1);
        ASSERT_TRUE(campaign) << campaign.error().message;
        for (const auto& [point, samples, unit] : measured())
            for (const auto& sample : samples)
                ASSERT_TRUE(campaign->add(point, sample.value, sample.warmup));
    }
    const auto campaign = Campaign::read(database);
    ASSERT_TRUE(campaign) << campaign.error().message;
    const auto profile = fit_campaign(*campaign, {"net", "net.db"});
    ASSERT_TRUE(profile) << profile.error().message;
    const auto file = scratch / "net.json";
    ASSERT_TRUE(save_profile(*profile, file));
    const auto loaded = load_profile(file.string());
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_TRUE(loaded->network.alltoall && profile->network.alltoall);
    EXPECT_EQ(loaded->network.alltoall->gamma.low, profile->network.alltoall->gamma.low);
    EXPECT_EQ(loaded->network.alltoall->models.size(), profile->network.alltoall->models.size());
    EXPECT_EQ(loaded->network.alltoall->papers, profile->network.alltoall->papers);
    for (const auto* model : cost_models())
        if (model->contention) {
            for (const auto& parameter : model->contention->parameters)
                EXPECT_TRUE(loaded->network.alltoall->papers.contains(parameter.key))
                    << parameter.key;
        }

    auto older = profile_to_json(*profile); // from before one of these models was there
    older["alltoall"]["papers"].erase("buses");
    const auto without = profile_from_json(older.dump(), "older.json");
    ASSERT_TRUE(without) << without.error().message;
    EXPECT_FALSE(without->network.alltoall->papers.contains("buses"));
    older["alltoall"]["papers"]["busses"] = 4;
    EXPECT_FALSE(profile_from_json(older.dump(), "wrong.json"));
}

} // namespace
} // namespace alltold

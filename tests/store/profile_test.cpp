// SPDX-License-Identifier: BSD-3-Clause
// A profile reads back as it was written.
#include "store/profile.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/text_file.hpp"
#include "network/congestion/congestion_fit.hpp"
#include "scratch.hpp"
#include "store/profile_json.hpp"

namespace alltold {
namespace {

using test::contents;
using test::Scratch;

/// A double of any magnitude a profile can hold.
double some_number() {
    return std::abs(*rc::gen::arbitrary<double>()) + 1;
}

Estimate some_estimate() {
    const double value = some_number();
    return {value, value - some_number(), value + some_number()};
}

HockneyFit some_hockney() {
    return {some_estimate(),
            some_estimate(),
            some_estimate(),
            some_number(),
            1,
            some_number(),
            {some_number(), -some_number(), some_number()}};
}

SignatureFit some_signature() {
    SignatureFit fit;
    fit.network = {some_number(), some_number()};
    fit.gamma = some_estimate();
    fit.delta_s = some_estimate();
    fit.threshold_bytes = some_estimate();
    fit.covariance = {some_number(), -some_number(), some_number()};
    fit.residual_relative = some_number();
    fit.reference_n = *rc::gen::inRange(0, 1000);
    fit.sizes_bytes = {some_number(), some_number()};
    fit.smallest_bytes = 1;
    fit.largest_bytes = some_number();
    fit.models = {{"signature", some_number(), some_number()}};
    fit.saturation =
        *rc::gen::element(Saturation::saturated, Saturation::not_saturated, Saturation::unknown);
    fit.saturation_reason = *rc::gen::arbitrary<bool>() ? "because \"of\" this" : "";
    return fit;
}

SizeCurve some_curve() {
    const double size = *rc::gen::inRange(0, 1000);
    const double time_s = some_number();
    return SizeCurve({{size, some_number()},
                      {size + 0.5, {time_s, time_s / 3, time_s * 1.1}},
                      {size + 1000, some_number()}});
}

PLogP some_plogp() {
    const double L_s = some_number();
    return {{L_s, L_s / 3, L_s * 1.7}, some_curve(), some_curve(), SizeCurve()};
}

ClusterModel some_cluster_model() {
    return {some_curve(),
            some_curve(),
            some_curve(),
            some_curve(),
            some_curve(),
            some_number(),
            {-some_number(), some_number(), some_number(), some_number()},
            some_number(),
            some_number(),
            some_number(),
            {some_number(), some_number()}};
}

LinkNetwork some_links() {
    const Link link{some_number(), some_number(), some_number()};
    std::vector<CarriedFlows> carried;
    for (int flows = 1; flows < *rc::gen::inRange(1, 4); ++flows)
        carried.push_back({flows, some_number()});
    return {link,          *rc::gen::arbitrary<bool>() ? std::optional(link) : std::nullopt,
            some_number(), some_number(),
            some_number(), carried};
}

CongestionFit some_congestion() {
    CongestionFit fit;
    fit.clusters = *rc::gen::inRange(1, 4);
    fit.form = {*rc::gen::arbitrary<bool>(), true, *rc::gen::arbitrary<bool>()};
    for (int i = 0; i < fit.form.terms(); ++i) {
        fit.coefficients.push_back(-some_number());
        for (auto& row = fit.covariance.emplace_back(); std::ssize(row) < fit.form.terms();)
            row.push_back(some_number());
    }
    fit.threshold_bytes = some_estimate();
    for (const int slow : {0, 1}) {
        fit.spread[slow] = some_number();
        fit.model_error[slow] = some_number();
        fit.timeouts[slow] = {some_number(), some_number()};
    }
    fit.least_over_wire = some_number();
    fit.buffer_bytes = some_number();
    fit.timeout_s = some_estimate();
    fit.smallest_n = 4;
    fit.largest_n = *rc::gen::inRange(4, 1000);
    fit.smallest_bytes = 1;
    fit.largest_bytes = some_number();
    fit.fitted = {{4, some_number()}, {8, some_number()}};
    fit.models = {{"congestion", some_number(), some_number()}};
    return fit;
}

TEST(Profile, every_double_survives_the_file) {
    EXPECT_TRUE(rc::check([] {
        Profile profile = builtin_profiles().front();
        profile.network.local = some_hockney();
        profile.network.inter_cluster = some_hockney();
        profile.network.alltoall = some_signature();
        profile.network.eager_limit_bytes = some_estimate();
        profile.network.congestion = some_congestion();
        profile.network.plogp = some_plogp();
        profile.network.cluster = some_cluster_model();
        profile.network.links = some_links();
        const LibraryTime call{Collective::gather, Clusters({9}), 1024,
                               some_estimate(),    "mpi",         *rc::gen::arbitrary<bool>()};
        profile.network.plausibility = {{{3, some_number(), some_number(), true, call, 1}},
                                        {{call, some_number()}},
                                        {{call, some_number(), some_number()}}};
        profile.refused = {{"inter_cluster", "no line tells it from noise"}};
        profile.notes = {{"port rate", "trains and floods differ"}};
        profile.algorithm_errors = {
            {"alltoall.lg", true, 3, {{"links", some_number(), some_number()}}}};
        const auto json = profile_to_json(profile);
        const auto again = profile_from_json(json.dump(), "net.json");
        RC_ASSERT(again);
        RC_ASSERT(profile_to_json(*again) == json);
        RC_ASSERT(again->network.alltoall->covariance == profile.network.alltoall->covariance);
        RC_ASSERT(again->network.alltoall->sizes_bytes == profile.network.alltoall->sizes_bytes);
        RC_ASSERT(again->network.local->beta_s_per_byte.high ==
                  profile.network.local->beta_s_per_byte.high);
        RC_ASSERT(again->network.inter_cluster->covariance ==
                  profile.network.inter_cluster->covariance);
        RC_ASSERT(again->network.inter_cluster->latency_s.low ==
                  profile.network.inter_cluster->latency_s.low);
        RC_ASSERT(again->network.alltoall->saturation == profile.network.alltoall->saturation);
        const auto& congestion = *profile.network.congestion;
        const auto& read = *again->network.congestion;
        RC_ASSERT(read.fitted == congestion.fitted);
        RC_ASSERT(read.form == congestion.form);
        RC_ASSERT(read.coefficients == congestion.coefficients);
        RC_ASSERT(read.covariance == congestion.covariance);
        RC_ASSERT(read.timeouts[1].seen == congestion.timeouts[1].seen);
        RC_ASSERT(again->network.plogp->L_s == profile.network.plogp->L_s);
        RC_ASSERT(again->network.plogp->g_s == profile.network.plogp->g_s);
        RC_ASSERT(again->network.plogp->o_r.points().empty());
        RC_ASSERT(again->network.cluster->O_r == profile.network.cluster->O_r);
        RC_ASSERT(again->network.cluster->L.base_s == profile.network.cluster->L.base_s);
        RC_ASSERT(again->notes.front().text == "trains and floods differ");
        RC_ASSERT(again->network.links->carried == profile.network.links->carried);
        RC_ASSERT(again->network.links->backbone.has_value() ==
                  profile.network.links->backbone.has_value());
    }));
}

TEST(Profile, says_how_clusters_were_learned) {
    auto profile = builtin_profiles().front();
    profile.provenance.clusters_from = "given by --clusters";
    profile.provenance.start_mode = StartMode::barrier;
    auto json = profile_to_json(profile);
    EXPECT_EQ(profile_from_json(json.dump(), "net.json")->provenance.clusters_from,
              "given by --clusters");
    EXPECT_EQ(json["provenance"]["start"], "barrier");
    EXPECT_EQ(profile_from_json(json.dump(), "net.json")->provenance.start_mode,
              StartMode::barrier);
    json["provenance"].erase("start");
    EXPECT_EQ(profile_from_json(json.dump(), "net.json").error().message,
              "net.json: /provenance/start: missing");
}

TEST(Profile, saves_loads_and_takes_its_name_from_the_file) {
    const Scratch scratch;
    for (const auto& profile : builtin_profiles()) {
        ASSERT_TRUE(save_profile(profile, scratch / "net.json"));
        const auto again = load_profile((scratch / "net.json").string());
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(again->name, "net");
        EXPECT_EQ(profile_to_json(*again), profile_to_json(profile));
        EXPECT_EQ(again->network.inter_cluster.has_value(),
                  profile.network.inter_cluster.has_value());
    }
    ASSERT_TRUE(save_profile(*load_profile("@nancy-rennes-2007"), scratch / "net.json"));
    EXPECT_NE(contents(scratch / "net.json")
                  .find("\"gamma\": {\"value\": 2.6887, \"low\": 2.6887, \"high\": 2.6887},\n"),
              std::string::npos)
        << contents(scratch / "net.json");
}

TEST(Profile, a_failed_save_leaves_the_old_file_and_no_other) {
    const Scratch scratch;
    auto profile = builtin_profiles().front();
    ASSERT_TRUE(save_profile(profile, scratch / "net.json"));
    const auto before = contents(scratch / "net.json");
    profile.network.alltoall->gamma.value = 0.5;
    const auto refused = save_profile(profile, scratch / "net.json");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("/alltoall/gamma/value: expected a number >= 1"),
              std::string::npos)
        << refused.error().message;
    profile.network.alltoall->gamma.value = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(save_profile(profile, scratch / "net.json"));
    EXPECT_EQ(contents(scratch / "net.json"), before);
    EXPECT_FALSE(save_profile(builtin_profiles().front(), scratch / "no/net.json"));
    EXPECT_FALSE(save_profile(builtin_profiles().front(), scratch.directory()));
    const auto files = std::filesystem::directory_iterator(scratch.directory());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Profile, builtin_ones_are_as_published) {
    struct Row {
        const char* name;
        double gamma, delta_s, threshold_bytes;
        int n;
        Saturation saturation;
    };
    for (const auto& row :
         {Row{"@fast-ethernet-2007", 1.0195, 8.23e-3, 2048, 24, Saturation::saturated},
          Row{"@gigabit-ethernet-2007", 4.3628, 4.93e-3, 8192, 40, Saturation::saturated},
          Row{"@myrinet-2007", 2.49754, 0, 0, 24, Saturation::not_saturated},
          Row{"@nancy-rennes-2007", 2.6887, 5.039e-3, 1024, 0, Saturation::unknown}}) {
        const auto profile = load_profile(row.name);
        ASSERT_TRUE(profile);
        EXPECT_EQ(profile->network.alltoall->gamma.value, row.gamma);
        EXPECT_EQ(profile->network.alltoall->delta_s.value, row.delta_s);
        EXPECT_EQ(profile->network.alltoall->threshold_bytes.value, row.threshold_bytes);
        EXPECT_EQ(profile->network.alltoall->reference_n, row.n);
        EXPECT_EQ(profile->network.alltoall->saturation, row.saturation);
        EXPECT_NE(profile->network.assumed.find("does not print"), std::string::npos);
    }
    const auto unknown = load_profile("@token-ring-1985");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("use one of @fast-ethernet-2007, @gigabit"),
              std::string::npos);
}

} // namespace
} // namespace alltold

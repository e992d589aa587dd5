// SPDX-License-Identifier: BSD-3-Clause
// Errors, what was held out, and what could not be compared.
#include "report/validation.hpp"

#include <gtest/gtest.h>

#include "predict/bounds/plausibility.hpp"
#include "report/algorithm_report.hpp"
#include "report/profile_summary.hpp"
#include "report/text_table.hpp"
#include "report/validation_table.hpp"

namespace alltold {
namespace {

/// (n-1)(1 ms + m 1 us/KiB * 2), fitted at n = 4 on 1 KiB and 2 KiB, +- 10 %.
Profile known_profile() {
    Profile profile;
    profile.name = "net";
    profile.source = "net.db";
    SignatureFit fit;
    fit.network = {1e-3, 1e-6 / 1024};
    fit.gamma = Estimate::exact(2);
    fit.residual_relative = 0.1 / 1.959964;
    fit.reference_n = 4;
    fit.sizes_bytes = {1024, 2048};
    fit.smallest_bytes = 1024;
    fit.largest_bytes = 2048;
    fit.models = {{"signature", 0.031, 0.08}};
    fit.saturation = Saturation::saturated;
    fit.saturation_reason = "gamma is the same at 3 and 4";
    profile.network.alltoall = fit;
    return profile;
}

/// A point whose median is `factor` times what known_profile() predicts.
PointSamples measured(const char* clusters, std::uint64_t size_bytes, double factor) {
    PointSamples samples;
    samples.point = {"alltoall", "mpi", *Clusters::parse(clusters), size_bytes, -1, -1};
    const double time_s =
        (samples.point.n() - 1) * (1e-3 + static_cast<double>(size_bytes) / 1024 * 2e-6) * factor;
    samples.samples.push_back({0, 100 * time_s, true, 0}); // a warm-up must not count
    for (int i = 0; i < 9; ++i)
        samples.samples.push_back({i + 1, time_s * (1 + 0.01 * (i - 4)), false, 0});
    return samples;
}

Validation validated(const std::vector<PointSamples>& points) {
    auto validation = validate(points, known_profile(), *library_model("signature"));
    EXPECT_TRUE(validation.compared());
    return validation;
}

TEST(Validation, errors_are_relative_to_the_measured_median) {
    const auto validation = validated({measured("4", 1024, 1.25), measured("4", 2048, 0.8)});
    ASSERT_EQ(validation.points.size(), 2U);
    EXPECT_NEAR(validation.points[0].error(), 1 / 1.25 - 1, 1e-12);
    EXPECT_NEAR(validation.points[1].error(), 1 / 0.8 - 1, 1e-12);
    EXPECT_EQ(validation.points[0].repetitions, 9);
    EXPECT_NEAR(validation.fitted.median_error, (0.2 + 0.25) / 2, 1e-12);
    EXPECT_NEAR(validation.fitted.worst_error, 0.25, 1e-12);
    EXPECT_EQ(validation.fitted.worst_size_bytes, 2048U);
}

TEST(Validation, tells_held_out_from_fitted_and_covered_from_not) {
    const auto validation =
        validated({measured("6", 1024, 1.05), measured("4", 4096, 1.2), measured("4", 2048, 0.95),
                   measured("3", 2048, 1), measured("4", 1024, 1.5)});
    std::string order;
    for (const auto& point : validation.points)
        order +=
            point.clusters.text() + (point.fitted ? "f" : "h") + (point.covered() ? "+ " : "- ");
    EXPECT_EQ(order, "3h+ 4f- 4f+ 4h- 6h+ ");
    EXPECT_EQ(validation.held_out.points, 3);
    EXPECT_EQ(validation.held_out.covered, 2);
    EXPECT_EQ(validation.fitted.points, 2);
    EXPECT_EQ(validation.fitted.covered, 1);
    EXPECT_EQ(validation.held_out.worst_clusters.text(), "4");
}

TEST(Validation, notes_what_it_could_not_compare) {
    auto cold = measured("4", 1024, 1);
    cold.samples.resize(1);
    auto other = measured("4", 1024, 1);
    other.point.algorithm = "alltoall.pairwise";
    auto pair = measured("2", 1024, 1);
    pair.point.probe = "pingpong";
    const auto validation =
        validated({measured("4", 2048, 1), measured("2+2", 1024, 1), cold, other, pair});
    EXPECT_EQ(validation.points.size(), 1U);
    EXPECT_EQ(validation.notes,
              (std::vector<std::string>{"alltoall with mpi on 2+2 skipped: has no alpha and beta "
                                        "between clusters, which clusters 2+2 need",
                                        "alltoall n = 4, m = 1 KiB has only warm-up repetitions"}));
    EXPECT_EQ(validation.ours.size(), 1U);
    const auto nothing = [](const PointSamples& point) {
        return validate(std::vector{point}, known_profile(), *library_model("signature"))
            .compared()
            .error()
            .message;
    };
    EXPECT_EQ(nothing(pair), "holds no collectives; measure some with 'alltold measure'");
    EXPECT_EQ(nothing(cold), "nothing to compare: alltoall n = 4, m = 1 KiB has only warm-up "
                             "repetitions");
}

TEST(Validation, our_algorithms_are_predicted_from_single_messages) {
    auto profile = known_profile();
    profile.network.local = HockneyFit{};
    profile.network.local->alpha_s = profile.network.local->latency_s = Estimate::exact(1e-3);
    profile.network.local->beta_s_per_byte = Estimate::exact(1e-6 / 1024);
    auto exchange = measured("4", 1024, 1); // 3 (1 ms + 2 us)
    exchange.point.algorithm = "alltoall.pairwise";
    auto broadcast = measured("4", 1024, 1);
    broadcast.point.probe = "bcast";
    broadcast.point.algorithm = "bcast.flat";
    auto library = broadcast;
    library.point.algorithm = "mpi";
    const auto validation =
        validate(std::vector{exchange, library, broadcast}, profile, *library_model("signature"));
    EXPECT_TRUE(validation.points.empty());
    ASSERT_EQ(validation.ours.size(), 2U);
    EXPECT_EQ(validation.ours[0].algorithm, "bcast.flat");
    for (const auto& point : validation.ours) // flat: 3 messages from one root, pairwise: 3 rounds
        EXPECT_NEAR(point.predicted.time_s.value, 3 * (1e-3 + 1e-6), 1e-9) << point.algorithm;
    ASSERT_EQ(validation.ours_errors.size(), 2U);
    EXPECT_NEAR(validation.ours_errors[1].errors.median_error, 1e-6 / 1.002e-3, 1e-6);
    EXPECT_EQ(validation.notes.size(), 1U);
    EXPECT_NE(ours_table(validation).find("alltoall.pairwise"), std::string::npos);
}

TEST(Validation, table_is_aligned_and_fits_100_characters) {
    const auto validation = validated({measured("128", 1 << 20, 1.05), measured("4", 2048, 0.95)});
    const auto text = validation_table(validation);
    std::vector<std::string> lines;
    for (std::size_t start = 0; start < text.size();) {
        const auto end = text.find('\n', start);
        lines.push_back(text.substr(start, end - start));
        EXPECT_LE(lines.back().size(), 100U) << lines.back();
        start = end + 1;
    }
    ASSERT_EQ(lines.size(), 8U) << text;
    EXPECT_EQ(lines[2], "alltoall");
    EXPECT_EQ(lines[3], "    4  2 KiB   2.86 ms  3.0 %    3.01 ms  2.62 .. 3.43 ms  1.01 ms"
                        "  +5.3 %  yes  fitted");
    EXPECT_EQ(lines[4].substr(0, 12), "  128  1 MiB");
    EXPECT_EQ(lines[6],
              "held out: 1 of 1 inside the interval; error median 4.8 %, worst 4.8 % (n = "
              "128, m = 1 MiB)");
}

TEST(Validation, a_time_below_its_bound_makes_it_doubtful) {
    // gamma is 2, so that the bound is half of what is predicted.
    auto profile = known_profile();
    const auto points = {measured("4", 1024, 0.2), measured("4", 2048, 1)};
    const auto validation = validate(points, profile, *library_model("signature"));
    ASSERT_EQ(validation.points.size(), 2U);
    EXPECT_TRUE(validation.points[0].bound_doubtful());
    EXPECT_FALSE(validation.points[1].bound_doubtful());
    EXPECT_NE(validation_table(validation).find("s ?"), std::string::npos);
    EXPECT_TRUE(validation_to_json(validation)["points"][0]["bound_doubtful"].get<bool>());
    EXPECT_NE(notes_of(validation).find("may have several rails"), std::string::npos)
        << notes_of(validation);
    // A profile that knows such a time has no certain bound of bytes.
    profile.network.library = {{Collective::bcast, Clusters({8}), 1 << 20, Estimate::exact(1e-5)}};
    profile.network.plausibility.beaten = beaten_bounds(profile.network, false);
    const auto again = validate(points, profile, *library_model("signature"));
    EXPECT_TRUE(again.points[1].bound_doubtful());
    const auto ranking = rank(profile.network, Collective::bcast, Clusters({8}), 1 << 20);
    ASSERT_TRUE(ranking) << ranking.error().message;
    EXPECT_NE(rank_table(*ranking).find("s ?"), std::string::npos) << rank_table(*ranking);
    for (const auto& row : rank_to_json(*ranking).at("candidates"))
        EXPECT_TRUE(row.at("bound_doubtful").get<bool>()) << row;
    const auto& quickest = ranking->candidates.front();
    const std::vector<PredictedCall> predicted{{Clusters({8}), 1 << 20, quickest}};
    EXPECT_NE(prediction_table(predicted, "90 % interval").find("s ?"), std::string::npos);
    EXPECT_TRUE(predictions_to_json(predicted)[0]["bound_doubtful"].get<bool>());
}

TEST(Validation, json_has_the_same_figures) {
    const auto validation = validated({measured("4", 2048, 1), measured("6", 2048, 2)});
    const auto json = validation_to_json(validation);
    EXPECT_EQ(json["points"][0]["fitted"], true);
    EXPECT_EQ(json["points"][1]["covered"], false);
    EXPECT_DOUBLE_EQ(json["points"][1]["error"], -0.5);
    EXPECT_EQ(json["held_out"]["points"], 1);
    EXPECT_DOUBLE_EQ(json["held_out"]["worst_error"], 0.5);
    EXPECT_DOUBLE_EQ(json["points"][0]["predicted_s"]["value"], 3 * (1e-3 + 4e-6));
}

TEST(ProfileSummary, shows_every_part_that_is_there) {
    auto profile = known_profile();
    profile.refused = {{"between clusters", "no ping-pong crossed"}};
    profile.notes = {{"port rate", "trains and floods differ"}};
    const auto text = profile_summary(profile);
    for (const char* part :
         {"net, from net.db\n", "fitted at n = 4, 1 KiB to 2 KiB", "gamma    2   times",
          "saturated: gamma is the same at 3 and 4", "signature                     3.1 %  8.0 %",
          "refused: between clusters: no ping-pong crossed",
          "\nnote: port rate: trains and floods differ\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
    EXPECT_EQ(text.find("between clusters\n  alpha"), std::string::npos);
    const auto published = profile_summary(*load_profile("@nancy-rennes-2007"));
    for (const char* part : {"between clusters\n  alpha    5 ms\n", "delta    5.04 ms   extra",
                             "saturation unknown", "assumed: alpha and beta"})
        EXPECT_NE(published.find(part), std::string::npos) << part << " is not in\n" << published;
}

TEST(TextTable, aligns_its_columns) {
    TextTable table;
    table.column("name", TextTable::Align::left);
    table.column("s");
    table.column("use", TextTable::Align::left);
    table.row({"a", "1.25", "x"});
    table.row({"longer", "3", ""});
    EXPECT_EQ(table.text(), "name       s  use\n"
                            "------  ----  ---\n"
                            "a       1.25  x\n"
                            "longer     3\n");
}

} // namespace
} // namespace alltold

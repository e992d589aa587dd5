// SPDX-License-Identifier: BSD-3-Clause
// The rate of combinations comes back from samples made of a known one, and from a profile's JSON.

#include <gtest/gtest.h>

#include "network/cost_model.hpp"
#include "network/fitting.hpp"
#include "network/json/json_cursor.hpp"
#include "refusals.hpp"
#include "synthetic.hpp"

using namespace alltold;

namespace {

constexpr double rate = 4e9, call_s = 60e-9;

std::vector<PointSamples> timed(double factor, double noise, Random& random) {
    std::vector<PointSamples> points;
    for (const double m : synthetic::sizes(4096, factor, 6)) {
        PointSamples samples{
            {"combine", "mpi", Clusters({1}), static_cast<std::uint64_t>(m), 0, -1}, {}};
        for (const double time_s : synthetic::repeat(call_s + m / rate, {noise, 12}, random))
            samples.samples.push_back({static_cast<int>(samples.samples.size()), time_s, false, 0});
        points.push_back(std::move(samples));
    }
    return points;
}

/// Of combining; nothing else was measured.
std::vector<std::string> refusals(const Fitting& fitting) {
    std::vector<std::string> reasons;
    for (const auto& refusal : fitting.refused)
        if (refusal.what == "combining")
            reasons.push_back(refusal.reason);
    return reasons;
}

const CostModel& combining_row() {
    for (const auto* model : cost_models())
        if (model->name == "combining")
            return *model;
    ADD_FAILURE() << "no such row";
    return *cost_models().front();
}

} // namespace

TEST(Combining, ComesBackInsideItsInterval) {
    Random random(5);
    int inside = 0, trials = 0;
    for (; trials < 40; ++trials) {
        const auto points = timed(4, 0.02, random);
        Fitting fitting(points, Clusters({4}));
        fit_models(fitting);
        EXPECT_TRUE(refusals(fitting).empty());
        const auto& found = fitting.network.combined_bytes_per_s;
        ASSERT_TRUE(found);
        EXPECT_NEAR(found->value, rate, 0.05 * rate);
        inside += found->covers(rate);
        EXPECT_LE(fitting.network.combine_s_per_byte(&Estimate::high),
                  fitting.network.combine_s_per_byte());
    }
    EXPECT_GE(inside, 0.8 * trials);
}

TEST(Combining, CostsNothingWhereItWasNotMeasured) {
    Fitting fitting({}, Clusters({4}));
    fit_models(fitting);
    EXPECT_TRUE(refusals(fitting).empty());
    EXPECT_EQ(fitting.network.combine_s_per_byte(), 0);
    EXPECT_TRUE(combining_row().fields.front().write(fitting.network).is_null());
}

TEST(Combining, IsRefusedWhereSizesAreAlike) {
    Random random(6);
    const auto points = timed(1.2, 0.02, random);
    Fitting fitting(points, Clusters({4}));
    fit_models(fitting);
    EXPECT_FALSE(fitting.network.combined_bytes_per_s);
    ASSERT_EQ(refusals(fitting).size(), 1U);
    EXPECT_SAYS(refusals(fitting).front(), "span less than a factor of 4");
}

TEST(Combining, ReadsBackFromJson) {
    Network network;
    network.combined_bytes_per_s = {4e9, 3e9, 5e9};
    const auto& field = combining_row().fields.front();
    nlohmann::ordered_json json{{"combining", field.write(network)}};
    Network again;
    auto root = JsonCursor::parse(json.dump(), "profile");
    field.read(again, root.member("combining"));
    ASSERT_FALSE(root.error());
    EXPECT_EQ(again.combine_s_per_byte(), 1 / 4e9);
    EXPECT_EQ(again.combine_s_per_byte(&Estimate::low), 1 / 3e9);
    json["combining"]["bytes_per_s"] = -1;
    auto wrong = JsonCursor::parse(json.dump(), "profile");
    field.read(again, wrong.member("combining"));
    EXPECT_TRUE(wrong.error());
}

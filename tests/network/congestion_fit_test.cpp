// SPDX-License-Identifier: BSD-3-Clause
// The model of congestion gives back what times were made from, and refuses what it cannot know.
#include "network/congestion/congestion_fit.hpp"

#include <cmath>
#include <ctime>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "core/statistics.hpp"

namespace alltold {
namespace {

constexpr double goodput = 6e6;
constexpr double ki = 1024;

/// A network to draw times from.
struct Truth {
    double start_s = 1e-3, per_process_s = 50e-6, wire_factor = 1.05;
    double slow_down = 0.8, threshold_bytes = 64 * ki;
    double spread = 0.03;
    double timeout_s = 0.23, timeouts_per_message = 1.5e-3;

    CongestedTime time(const CongestedCall& call) const {
        const bool slow = call.size_bytes >= threshold_bytes;
        const double core_s = start_s + per_process_s * (call.n - 1) +
                              call.wire_s * (wire_factor + (slow ? slow_down : 0));
        return {core_s, spread, timeout_s, slow ? timeouts_per_message * call.n * (call.n - 1) : 0,
                1e6};
    }
};

CongestedCall call_of(int n, double size_bytes) {
    return {n, size_bytes, (n - 1) * size_bytes / goodput};
}

std::vector<CongestedSeries> draw(const Truth& truth, const std::vector<int>& ns, int repetitions,
                                  std::uint64_t seed) {
    Random random(seed);
    std::vector<CongestedSeries> all;
    for (const int n : ns)
        for (const double size : {1., 4., 16., 32., 48., 64., 128., 256.}) {
            CongestedSeries series{call_of(n, size * ki), {}};
            for (int i = 0; i < repetitions; ++i)
                series.times_s.push_back(
                    truth.time(series.call).quantile(1e-9 + (1 - 2e-9) * random.uniform()));
            all.push_back(std::move(series));
        }
    return all;
}

CongestionPrior prior() {
    CongestionPrior prior;
    prior.network.alpha_s = Estimate::exact(50e-6);
    prior.network.beta_s_per_byte = Estimate::exact(1 / goodput);
    prior.buffer_bytes = 64 * ki;
    return prior;
}

TEST(CongestionFit, finds_the_parameters_times_were_drawn_from) {
    const Truth truth;
    int slowed = 0, timeout_covered = 0, rate_near = 0;
    std::vector<double> widths_s;
    constexpr int draws = 20;
    for (std::uint64_t seed = 1; seed <= draws; ++seed) {
        const auto fit = fit_congestion(draw(truth, {4, 6, 8}, 20, seed), prior());
        ASSERT_TRUE(fit) << fit.error().message;
        EXPECT_EQ(fit->threshold_bytes.value, 64 * ki);
        EXPECT_EQ(fit->threshold_bytes.low, 48 * ki);
        // What it says of a call nobody measured, beside what the truth says.
        const auto far = call_of(12, 192 * ki);
        const double error = std::log(fit->core_s(far) / truth.time(far).core_s);
        slowed += std::abs(error) < 0.05 ? 1 : 0;
        timeout_covered += fit->timeout_s.covers(truth.timeout_s) ? 1 : 0;
        widths_s.push_back(fit->timeout_s.high - fit->timeout_s.low);
        const double rate = fit->timeouts[1].per_message() / truth.timeouts_per_message;
        rate_near += rate > 0.5 && rate < 2 ? 1 : 0;
        EXPECT_NEAR(fit->spread[1], truth.spread, 0.012);
        EXPECT_EQ(fit->models.front().name, "congestion");
    }
    EXPECT_GE(slowed, 18);
    EXPECT_GE(timeout_covered, 18);
    EXPECT_LT(median(widths_s), 0.08) << "an interval that says something";
    EXPECT_GE(rate_near, 15) << "about nine time-outs are to be seen in one draw";
}

TEST(CongestionFit, single_times_not_seen_fall_into_its_intervals) {
    const Truth truth;
    int inside = 0, all = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const auto fit = fit_congestion(draw(truth, {4, 6, 8}, 15, seed), prior());
        ASSERT_TRUE(fit) << fit.error().message;
        for (const auto& series : draw(truth, {10, 12}, 15, seed + 100)) {
            const auto time = fit->time(series.call);
            const double low_s = time.quantile(0.05), high_s = time.quantile(0.95);
            for (const double time_s : series.times_s) {
                inside += low_s <= time_s && time_s <= high_s ? 1 : 0;
                ++all;
            }
        }
    }
    EXPECT_GE(inside, 0.85 * all);
    EXPECT_LE(inside, 0.99 * all) << "intervals so wide that they say nothing";
}

TEST(CongestionFit, of_many_sizes_takes_seconds) {
    const Truth truth;
    Random random(1);
    std::vector<CongestedSeries> measured;
    for (int i = 0; i < 300; ++i) {
        CongestedSeries series{call_of(i < 150 ? 8 : 12, (1 + i % 150) * ki), {}};
        for (int repetition = 0; repetition < 3; ++repetition)
            series.times_s.push_back(
                truth.time(series.call).quantile(1e-9 + (1 - 2e-9) * random.uniform()));
        measured.push_back(std::move(series));
    }
    const auto before = std::clock();
    const auto fit = fit_congestion(measured, prior());
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_NEAR(fit->threshold_bytes.value, 64 * ki, 8 * ki);
    EXPECT_LT((std::clock() - before) / CLOCKS_PER_SEC, 60) << "of processor time";
}

TEST(CongestionFit, claims_no_slow_down_where_there_is_none) {
    Truth truth;
    truth.slow_down = 0;
    truth.timeouts_per_message = 0;
    auto network = prior();
    network.network.alpha_s = Estimate::exact(1e-3); // the papers' models are off by the start-up
    const auto fit = fit_congestion(draw(truth, {4, 6, 8}, 15, 3), network);
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_FALSE(fit->form.slows);
    EXPECT_LT(fit->timeouts[0].seen, 1);
    EXPECT_GT(fit->timeouts[0].per_message(), 0) << "none seen is not none ever";
}

TEST(CongestionFit, nothing_is_lost_where_all_fits_into_the_buffer) {
    const auto fit = fit_congestion(draw(Truth{}, {4, 6, 8}, 15, 5), prior());
    ASSERT_TRUE(fit) << fit.error().message;
    EXPECT_EQ(fit->time(call_of(8, 4 * ki)).timeouts, 0);
    EXPECT_GT(fit->time(call_of(8, 128 * ki)).timeouts, 0);
}

TEST(CongestionFit, refuses_what_it_cannot_know) {
    const auto why = [](const std::vector<CongestedSeries>& measured) {
        const auto fit = fit_congestion(measured, prior());
        return fit ? std::string("fitted") : fit.error().message;
    };
    EXPECT_NE(why(draw(Truth{}, {8}, 15, 1)).find("1 rank count"), std::string::npos);
    EXPECT_NE(why(draw(Truth{}, {4, 8}, 2, 1)).find("at least 3"), std::string::npos);
    auto few = draw(Truth{}, {4, 6, 8}, 5, 1);
    std::erase_if(few, [](const auto& series) { return series.call.size_bytes > 16 * ki; });
    EXPECT_NE(why(few).find("3 sizes"), std::string::npos);
    auto wrong = draw(Truth{}, {4, 6}, 5, 1);
    wrong[3].times_s[1] = -1;
    EXPECT_NE(why(wrong).find("n = 4, m = 32 KiB: a time of -1 s"), std::string::npos);
    // A network as the paper's linear model has it.
    auto linear = draw(Truth{}, {4, 6, 8}, 5, 1);
    for (auto& [call, times_s, others] : linear)
        for (double& time_s : times_s)
            time_s = (call.n - 1) * (50e-6 + call.size_bytes / goodput);
    EXPECT_NE(why(linear).find("predicts points of other n and m better"), std::string::npos);
}

TEST(CongestedTime, is_a_distribution_with_its_density) {
    const CongestedTime time{0.3, 0.05, 0.22, 0.4, 2.5};
    double sum = 0;
    constexpr double step_s = 1e-5;
    for (double t = 0.1; t < 0.8; t += step_s)
        sum += step_s * time.density(t + step_s / 2);
    EXPECT_NEAR(sum, 1, 1e-3);
    for (const double p : {0.05, 0.5, 0.95})
        EXPECT_NEAR(time.probability_below(time.quantile(p)), p, 1e-9);
    EXPECT_LT(time.probability_of_timeout(0.3), 0.3);
    EXPECT_GT(time.probability_of_timeout(0.45), 0.95);
    const CongestedTime without{0.3, 0.05, 0.22, 0, 2.5};
    EXPECT_NEAR(without.quantile(0.5), 0.3, 1e-9);
}

} // namespace
} // namespace alltold

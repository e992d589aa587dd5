// SPDX-License-Identifier: BSD-3-Clause
// Which of two times is longer, and whether one is safe beside the other.
#include "predict/choice/odds.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/normal.hpp"
#include "core/random.hpp"

namespace alltold {
namespace {

TEST(Odds, nothing_is_quicker_than_the_bound) {
    // The library's time may be anything from the bound on, and ours is close to the bound.
    StartTimes ours{{0.0345, 0.0335, 0.0355}}, library{{0.039, 0.022, 0.070}};
    EXPECT_GT(chance_of_loss(ours, library), most_chance_of_loss);
    EXPECT_FALSE(is_safe(ours, library));
    ours.bound_s = library.bound_s = 0.033;
    EXPECT_LT(chance_of_loss(ours, library), most_chance_of_loss);
    EXPECT_TRUE(is_safe(ours, library));
    ours.usual.time_s = {0.040, 0.039, 0.041};
    EXPECT_FALSE(is_safe(ours, library)) << "the library may be quicker";
}

TEST(Odds, odds_above_a_bound_are_those_of_drawn_times) {
    const Estimate ours_s{1.2, 1.0, 1.44}, library_s{1.3, 0.8, 2.1};
    constexpr double bound_s = 1;
    StartTimes ours{ours_s}, library{library_s};
    ours.bound_s = library.bound_s = bound_s;
    Random random(3);
    const auto draw = [&](const Estimate& time_s) {
        for (;;)
            if (const double drawn_s =
                    time_s.value * std::exp(random.normal() * std::log(time_s.high / time_s.low) /
                                            (2 * normal_reach));
                drawn_s > bound_s)
                return drawn_s;
    };
    int slower = 0;
    constexpr int draws = 20000;
    for (int i = 0; i < draws; ++i)
        slower += draw(ours_s) > draw(library_s);
    EXPECT_NEAR(chance_of_slower(ours, library), static_cast<double>(slower) / draws, 0.01);
}

TEST(Odds, a_time_with_losses_is_not_below_that_without) {
    const StartTimes ours{{0.0365, 0.034, 0.039}};
    StartTimes library{{0.042, 0.022, 0.080}};
    const double by_time = chance_of_loss(ours, library);
    EXPECT_GT(by_time, most_chance_of_loss);
    library.usual.lossless_s = {0.040, 0.0385, 0.0416};
    EXPECT_LT(chance_of_loss(ours, library), most_chance_of_loss);
    EXPECT_TRUE(is_safe(ours, library));
    library.second = library.usual;
    library.second->lossless_s.reset();
    auto from_both = ours;
    from_both.second = ours.usual;
    EXPECT_NEAR(chance_of_loss(from_both, library), by_time / 2, 0.01) << "not known there";
    library = {{0.042, 0.022, 0.080}};
    library.usual.lossless_s = {0.020, 0.019, 0.021};
    EXPECT_DOUBLE_EQ(chance_of_loss(ours, library), by_time) << "losses are likely";
}

TEST(Odds, expected_losses_are_those_of_drawn_times) {
    const Estimate chosen_s{1.2, 0.8, 1.8}, other_s{1.3, 1.0, 1.69};
    Random random(5);
    const auto draw = [&](const Estimate& time_s) {
        return time_s.value *
               std::exp(random.normal() * std::log(time_s.high / time_s.low) / (2 * normal_reach));
    };
    double sum = 0;
    constexpr int draws = 20000;
    for (int i = 0; i < draws; ++i)
        sum += std::max(0., draw(chosen_s) / draw(other_s) - 1);
    EXPECT_NEAR(expected_loss(chosen_s, other_s), sum / draws, 0.005);
    EXPECT_NEAR(expected_loss({1.5, 1.499, 1.501}, {1, 0.999, 1.001}), 0.5, 0.01);
    EXPECT_EQ(expected_loss({1, 0, INFINITY}, {1, 1, 1}), 2);
}

TEST(Odds, a_tie_from_one_start_does_not_cost_a_great_gain_from_the_other) {
    const auto with = [](const Estimate& usual_s, const Estimate& second_s) {
        return StartTimes{{usual_s}, KnownTime{second_s}};
    };
    constexpr Estimate silence_s{0.137, 0.131, 0.143}, barrier_s{0.150, 0.145, 0.156};
    const auto library = with({0.134, 0.130, 0.138}, {0.361, 0.340, 0.383});
    EXPECT_TRUE(is_safe(with(silence_s, barrier_s), library));
    const auto reversed = [](StartTimes times) {
        std::swap(times.usual, *times.second);
        return times;
    };
    EXPECT_TRUE(is_safe(reversed(with(silence_s, barrier_s)), reversed(library)));
    EXPECT_FALSE(is_safe(with(silence_s, {0.330, 0.310, 0.351}), library)) << "a small gain";
    EXPECT_FALSE(is_safe(with(silence_s, {0.150, 0.020, 1.100}), library)) << "an unsure one";
    EXPECT_FALSE(is_safe(with({0.141, 0.135, 0.147}, barrier_s), library)) << "a loss of 5 %";
    EXPECT_FALSE(is_safe(with({0.137, 0.100, 0.188}, barrier_s), library)) << "or of 15 %";
}

TEST(Odds, uncertain_times_count_as_longer) {
    const StartTimes sure{{0.0215, 0.019, 0.024}}, unsure{{0.0197, 0.008, 0.060}};
    EXPECT_LT(sure.over(unsure), 1);
    EXPECT_NEAR(unsure.over(sure) * sure.over(unsure), 1, 1e-12);
    EXPECT_GT(sure.over({{0.0197, 0.018, 0.0216}}), 1);
}

TEST(Odds, connections_may_have_small_windows) {
    StartTimes ours{{0.060, 0.055, 0.066}}, library{{0.080, 0.075, 0.085}};
    EXPECT_TRUE(is_safe(ours, library));
    library.small_windows = 1.3;
    ours.small_windows = 1.2;
    EXPECT_TRUE(is_safe(ours, library));
    ours.small_windows = 2;
    EXPECT_FALSE(is_safe(ours, library)) << "120 ms and 104 ms then";
    EXPECT_NEAR(chance_of_slower(ours, library), 0.5, 0.05) << "slower in one of two cases";
    EXPECT_NEAR(ours.over(library), std::sqrt(0.060 * 0.120 / (0.080 * 0.104)), 1e-3);
}

TEST(Odds, large_windows_do_not_make_up_for_small_ones) {
    StartTimes ours{{0.047, 0.035, 0.060}}, library{{0.090, 0.085, 0.095}};
    ours.small_windows = 1.5;
    EXPECT_TRUE(is_safe(ours, library));
    ours.small_windows = 2.2;
    EXPECT_LT(ours.over(library), 1);
    EXPECT_TRUE(likely_loses_with_small_windows(ours, library)) << "103 ms and 90 ms then";
    EXPECT_FALSE(is_safe(ours, library));
    library.small_windows = 1.4;
    EXPECT_FALSE(likely_loses_with_small_windows(ours, library));
}

TEST(Odds, a_tie_on_one_spread_hides_no_gain_on_others) {
    StartTimes ours{{0.0218, 0.020, 0.024}}, library{{0.0222, 0.020, 0.025}};
    EXPECT_FALSE(is_safe(ours, library));
    ours.elsewhere = {{{0.0206, 0.019, 0.022}}, {{0.0205, 0.019, 0.022}}};
    library.elsewhere = {{{0.041, 0.038, 0.044}}, {{0.040, 0.037, 0.043}}};
    EXPECT_TRUE(is_safe(ours, library));
    EXPECT_NEAR(ours.over(library), std::cbrt(0.0218 * 0.0206 * 0.0205 / (0.0222 * 0.041 * 0.040)),
                1e-3);
    ours.elsewhere[1].usual.time_s = {0.042, 0.039, 0.045};
    EXPECT_FALSE(is_safe(ours, library)) << "slower on one spread";
}

TEST(Odds, quick_repetitions_of_the_library_count) {
    StartTimes ours{{0.080, 0.076, 0.084}}, library{{0.177, 0.124, 0.253}};
    EXPECT_TRUE(is_safe(ours, library));
    library.usual.lower_quartile_s = 0.066;
    EXPECT_TRUE(slower_than_quick_ones(ours, library));
    EXPECT_FALSE(is_safe(ours, library)) << "where none takes a time-out";
    library.usual.lower_quartile_s = 0.079;
    EXPECT_TRUE(is_safe(ours, library)) << "a tie with these";
    ours.second = {{0.080, 0.076, 0.084}};
    library.second = library.usual;
    library.second->lower_quartile_s = 0.066;
    EXPECT_FALSE(is_safe(ours, library));
}

TEST(Odds, predictions_err_alike) {
    const StartTimes ours{{0.090, 0.078, 0.104}}, library{{0.100, 0.087, 0.115}};
    EXPECT_NEAR(chance_of_slower(ours, library), 0.19, 0.02) << "if errors were independent";
    EXPECT_LT(chance_of_loss(ours, library), most_chance_of_loss);
    EXPECT_TRUE(is_safe(ours, library));
    const StartTimes near_tie{{0.096, 0.083, 0.111}};
    EXPECT_GT(chance_of_loss(near_tie, library), most_chance_of_loss);
    EXPECT_FALSE(is_safe(near_tie, library));
}

TEST(Odds, spreads_count_where_the_librarys_time_is_known) {
    constexpr Estimate unknown{INFINITY, INFINITY, INFINITY};
    StartTimes ours{{0.060, 0.055, 0.066}}, library{{0.080, 0.075, 0.085}};
    ours.elsewhere = library.elsewhere = {{unknown}};
    EXPECT_TRUE(is_safe(ours, library));
    ours.elsewhere[0].loses_packets = true;
    EXPECT_FALSE(is_safe(ours, library)) << "losses count on every spread";
    ours.elsewhere[0].loses_packets = false;
    library.elsewhere = {{{0.080, 0.075, 0.085}}};
    EXPECT_FALSE(is_safe(ours, library)) << "ours is not known there";
}

TEST(Odds, a_tie_is_no_gain) {
    const StartTimes library{{0.1, 0.0995, 0.1005}};
    EXPECT_FALSE(is_safe({{0.098, 0.0975, 0.0985}}, library)) << "surely faster, but by 2 %";
    EXPECT_TRUE(is_safe({{0.096, 0.0955, 0.0965}}, library));
}

TEST(Odds, losses_are_not_worth_a_small_gain) {
    // A gather on random lab 6701 4: of eight repetitions four took a time-out, of five measured
    // before none.
    StartTimes ours{{0.0541, 0.0535, 0.0547}}, library{{0.0559, 0.0555, 0.0563}};
    EXPECT_TRUE(is_safe(ours, library));
    ours.may_lose = ours.measured = true;
    EXPECT_FALSE(is_safe(ours, library));
    library.may_lose = true;
    EXPECT_TRUE(is_safe(ours, library)) << "both may";
    library.may_lose = false;
    library.usual.time_s = {0.065, 0.0645, 0.0655};
    EXPECT_TRUE(is_safe(ours, library)) << "a gain of 20 %";
}

} // namespace
} // namespace alltold

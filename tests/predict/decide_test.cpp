// SPDX-License-Identifier: BSD-3-Clause
// Odds and decisions have the properties that their terms promise.
#include "predict/decide/decide.hpp"

#include <cmath>
#include <ostream>

#include <gtest/gtest.h>

#include "core/statistics.hpp"
#include "network/cost_model.hpp"
#include "network/growth/growth.hpp"

namespace alltold {
namespace {

CallTime taking(const Estimate& time_s) {
    CallTime call;
    call.time_s = time_s;
    return call;
}

/// Odds of the last of these times, the library's own first.
Odds odds_of_last(const std::vector<std::optional<CallTime>>& times, const Terms& terms = {}) {
    return odds_of(std::vector<Setting>{{times}}, terms).back();
}

bool runs(const CallTime& ours, const CallTime& library, const Terms& terms = {}) {
    return odds_of_last({library, ours}, terms).may_run(terms);
}

struct Two {
    Estimate ours_s, library_s;
};

std::ostream& operator<<(std::ostream& out, const Two& two) {
    return out << two.ours_s.value << " beside " << two.library_s.value;
}

class OddsOfTwo : public testing::TestWithParam<Two> {};

TEST_P(OddsOfTwo, are_those_of_log_normal_times) {
    const auto& [ours_s, library_s] = GetParam();
    const auto sd = [](const Estimate& time_s) {
        return std::log(time_s.high / time_s.low) / (2 * normal_reach);
    };
    const double log_ratio = std::log(ours_s.value / library_s.value);
    const double ours_sd = sd(ours_s), library_sd = sd(library_s);
    const auto odds = odds_of_last({taking(library_s), taking(ours_s)});
    EXPECT_NEAR(odds.chance_of_loss,
                normal_probability((log_ratio - std::log1p(Terms().worth)) /
                                   std::hypot(ours_sd, library_sd)),
                0.02);
    const double mean = std::exp(log_ratio + (ours_sd * ours_sd - library_sd * library_sd) / 2);
    EXPECT_NEAR(odds.ratio / mean, 1, 0.005);
}

INSTANTIATE_TEST_SUITE_P(Odds, OddsOfTwo,
                         testing::Values(Two{{1, 0.8, 1.25}, {1, 0.7, 1.42}},
                                         Two{{1, 0.9, 1.1}, {1.2, 1, 1.4}},
                                         Two{{1, 0.66, 1.5}, {1.8, 1.4, 2.3}},
                                         Two{{3, 2.9, 3.1}, {1, 0.5, 2}},
                                         Two{{1, 0.99, 1.01}, {1.02, 1.01, 1.03}}));

TEST(Odds, are_the_same_each_time) {
    auto ours = taking({1, 0.5, 2}), library = taking({1.1, 0.5, 2.5});
    ours.modelled.may_lose = true;
    library.lower_quartile_s = 0.6;
    library.bound_s = 0.5;
    const auto odds = odds_of_last({library, ours}), again = odds_of_last({library, ours});
    EXPECT_EQ(odds.ratio, again.ratio);
    EXPECT_EQ(odds.chance_of_loss, again.chance_of_loss);
}

TEST(Odds, nothing_is_quicker_than_the_bound_or_than_without_losses) {
    const auto ours = taking({0.0345, 0.0342, 0.0348});
    auto library = taking({0.039, 0.022, 0.070});
    EXPECT_GT(odds_of_last({library, ours}).chance_of_loss, 0.25);
    library.bound_s = 0.0345;
    EXPECT_TRUE(runs(ours, library)) << "which it knows to 3 %";
    library.bound_s = 0;
    library.lossless_s = {0.0345, 0.0340, 0.0350};
    EXPECT_TRUE(runs(ours, library));
    EXPECT_FALSE(runs(taking({0.040, 0.039, 0.041}), library)) << "the library may be quicker";
}

/// A correction of two algorithms, which are off by what they share and by an error of their own.
/// Neither takes time-outs in 60 measured repetitions, but for so many of the first.
Correction correction_with(double common_sd, double own_sd, int timed_out = 0) {
    ResidualFit fit;
    fit.kernel = {.common_sd = common_sd,
                  .own_sd = own_sd,
                  .brief_common_sd = 0,
                  .brief_own_sd = 0,
                  .brief_growth_sd = 0,
                  .noise_sd = 0.001,
                  .jitter_s = 0,
                  .loss_sd = 0};
    MeasuredCall call;
    call.algorithm = *find_algorithm("gather.flat");
    call.size_bytes = std::uint64_t{1} << 60; // like no call that is asked for
    call.measured_s = 1;
    call.relative_error = 0.001;
    call.modelled = {.time_s = {1, 1, 1}, .fullest = 1};
    call.repetitions = 60;
    call.timed_out = timed_out;
    return {{{Collective::gather}}, {*algorithm_model("links")}, {call}, fit};
}

CallTime corrected(const Correction& correction, const char* algorithm, double modelled_s,
                   double fullest = 0) {
    CallTime call;
    call.choice.algorithm = *find_algorithm(algorithm);
    call.correction = &correction;
    call.modelled = {.time_s = Estimate::exact(modelled_s), .fullest = fullest};
    call.traits = traits_of(call.choice.algorithm, {}, 4, 1024, call.modelled);
    call.time_s = correction.time_s(call.traits);
    return call;
}

TEST(Odds, times_that_grew_are_compared_world_by_world) {
    const auto chance = [](double log_gain, bool grew) {
        std::vector<CallTime> times(2);
        for (int i = 0; i < 2; ++i) {
            std::vector<double> log_draws;
            for (int world = 0; world < Growth::worlds; ++world)
                log_draws.push_back(std::log(1 + world) - i * log_gain);
            times[static_cast<std::size_t>(i)] = taking(Growth::time_of(log_draws));
            if (grew)
                times[static_cast<std::size_t>(i)].log_draws = log_draws;
        }
        return odds_of_last({times[0], times[1]}).chance_of_loss;
    };
    EXPECT_EQ(chance(0.1, true), 0) << "in all worlds it takes less";
    EXPECT_EQ(chance(-0.1, true), 1);
    EXPECT_GT(chance(0.1, false), 0.3) << "their intervals alone do not tell";
}

TEST(Odds, common_errors_cancel) {
    const auto correction = correction_with(0.5, 0.01);
    auto first = corrected(correction, "gather.flat", 1),
         second = corrected(correction, "gather.binomial", 0.9);
    ASSERT_GT(second.time_s.high / second.time_s.low, 4) << "by what they share";
    EXPECT_TRUE(runs(second, first));
    EXPECT_NEAR(odds_of_last({first, second}).ratio, 0.9, 0.01);
    EXPECT_FALSE(runs(first, second));
    first.correction = second.correction = nullptr;
    EXPECT_GT(odds_of_last({first, second}).chance_of_loss, 0.3);
    const auto apart = correction_with(0.01, 0.5);
    EXPECT_GT(
        odds_of_last({corrected(apart, "gather.flat", 1), corrected(apart, "gather.binomial", 0.9)})
            .chance_of_loss,
        0.3)
        << "errors of their own do not";
}

TEST(Odds, a_quarter_of_the_librarys_repetitions_may_be_quick) {
    const auto ours = taking({0.080, 0.079, 0.081});
    auto library = taking({0.177, 0.124, 0.253});
    EXPECT_TRUE(runs(ours, library));
    library.lower_quartile_s = 0.066;
    EXPECT_NEAR(odds_of_last({library, ours}).chance_of_loss, 0.25, 0.02);
    EXPECT_FALSE(runs(ours, library));
    library.lower_quartile_s = 0.082;
    EXPECT_TRUE(runs(ours, library)) << "a tie with these";
}

TEST(Odds, connections_have_small_windows_in_half_of_the_worlds) {
    auto ours = taking({0.060, 0.058, 0.062}), library = taking({0.080, 0.078, 0.082});
    library.modelled.small_windows = 1.3;
    ours.modelled.small_windows = 1.2;
    EXPECT_TRUE(runs(ours, library));
    ours.modelled.small_windows = 2;
    const auto odds = odds_of_last({library, ours});
    EXPECT_NEAR(odds.chance_of_loss, 0.5, 0.01) << "120 ms and 104 ms then";
    EXPECT_NEAR(odds.ratio, (0.060 + 0.120) / (0.080 + 0.104), 1e-3);
}

TEST(Odds, full_queues_take_time_outs_unless_measured_calls_show_that_they_do_not) {
    const auto clean = correction_with(0, 0.001), lossy = correction_with(0, 0.001, 20);
    const auto library = taking({0.1, 0.0999, 0.1001});
    const auto ours = [&](const Correction& correction, const char* algorithm, double fullest) {
        auto call = corrected(correction, algorithm, 0.05, fullest);
        call.modelled.time_s = {0.05, 0.05, 0.05};
        return call;
    };
    EXPECT_TRUE(runs(ours(clean, "gather.binomial", 0.5), library)) << "which leaves room";
    EXPECT_FALSE(runs(ours(clean, "gather.binomial", 1), library)) << "as does no other algorithm";
    EXPECT_FALSE(runs(ours(lossy, "gather.flat", 1), library));
    EXPECT_TRUE(runs(ours(clean, "gather.flat", 1), library));
    EXPECT_NEAR(odds_of_last({library, ours(lossy, "gather.flat", 1)}).ratio,
                (0.05 + 0.2 * 20 / 60) / 0.1, 0.1)
        << "one repetition of three takes a time-out of 200 ms";
    auto losing = ours(clean, "gather.flat", 1);
    losing.modelled.timeouts_s = {0.01, 0, 0.2};
    EXPECT_EQ(odds_of_last({library, losing}).ratio,
              odds_of_last({library, ours(clean, "gather.flat", 0)}).ratio)
        << "the model counts them";
}

TEST(Odds, come_from_settings_in_which_the_librarys_time_is_known) {
    constexpr Estimate unknown{1, 0, INFINITY};
    const auto ours = taking({0.5, 0.49, 0.51}), library = taking({1, 0.99, 1.01});
    const auto ratio = [](const std::vector<Setting>& settings) {
        return odds_of(settings).back().ratio;
    };
    const double known = ratio({{{library, ours}}});
    EXPECT_EQ(ratio({{{library, ours}}, {{{}, ours}}}), known);
    EXPECT_EQ(ratio({{{taking(unknown), taking(library.time_s)}}, {{library, ours}}}), known);
    EXPECT_EQ(ratio({{{library, ours}}, {{library, {}}}}), INFINITY) << "ours is not known there";
    EXPECT_EQ(ratio({{{library, {}}}, {{library, ours}}}), INFINITY);
    EXPECT_EQ(ratio({{{library, taking(unknown)}}}), INFINITY);
    EXPECT_EQ(ratio({{{{}, ours}}}), INFINITY);
    EXPECT_EQ(decide(odds_of(std::vector<Setting>{{{{}, ours}}})), 0U);
    EXPECT_TRUE(odds_of({}).empty());
}

TEST(Odds, settings_are_as_likely_as_one_another) {
    const auto library = taking({1, 0.99, 1.01}), tie = library, great = taking({0.4, 0.39, 0.41}),
               loss = taking({1.2, 1.19, 1.21});
    const auto odds = [&](const std::vector<CallTime>& ours) {
        std::vector<Setting> settings;
        for (const auto& time : ours)
            settings.push_back({{library, time}});
        return odds_of(settings).back();
    };
    EXPECT_NEAR(odds({tie, great}).ratio, 0.7, 0.001);
    EXPECT_TRUE(odds({tie, great}).may_run({})) << "a tie from one start hides no gain";
    EXPECT_NEAR(odds({loss, great, great}).chance_of_loss, 1. / 3, 0.001);
    EXPECT_FALSE(odds({loss, great, great}).may_run({}));
}

TEST(Decide, keeps_to_the_terms) {
    const auto library = taking({1, 0.99, 1.01}), tenth = taking({0.9, 0.89, 0.91}),
               unsure = taking({0.7, 0.35, 1.4});
    EXPECT_TRUE(runs(tenth, library));
    EXPECT_FALSE(runs(tenth, library, {.worth = 0.2}));
    EXPECT_FALSE(runs(taking({0.98, 0.979, 0.981}), library)) << "sure, but a tie";
    EXPECT_TRUE(runs(taking({0.98, 0.979, 0.981}), library, {.worth = 0.01}));
    const std::vector<Setting> settings{{{library, tenth, unsure}}};
    const auto chosen = [&](const Terms& terms) { return decide(odds_of(settings, terms), terms); };
    EXPECT_EQ(chosen({}), 1U) << "the other may lose";
    EXPECT_EQ(chosen({.risk = 0.3}), 2U);
    EXPECT_EQ(chosen({.worth = 0.2}), 0U);
    EXPECT_EQ(decide({}), 0U);
}

TEST(Regret, is_what_the_quickest_would_save) {
    const auto regret = [](const Estimate& chosen_s, const Estimate& other_s) {
        return regret_of(std::vector<Setting>{{{taking(other_s), taking(chosen_s)}}}, 1);
    };
    EXPECT_NEAR(regret({1.5, 1.499, 1.501}, {1, 0.999, 1.001}), 0.5, 0.001);
    EXPECT_EQ(regret({1, 0.999, 1.001}, {1.5, 1.499, 1.501}), 0);
    EXPECT_EQ(regret({9, 8, 10}, {1, 1, 1}), 2);
    EXPECT_EQ(regret({1, 0, INFINITY}, {1, 1, 1}), 2);
    // E max(0, R - 1) of a log-normal R about 1 of this deviation.
    const double sd = std::sqrt(2.) * std::log(1.5) / normal_reach;
    EXPECT_NEAR(regret({1, 1 / 1.5, 1.5}, {1, 1 / 1.5, 1.5}),
                std::exp(sd * sd / 2) * normal_probability(sd) - 0.5, 0.02);
}

} // namespace
} // namespace alltold

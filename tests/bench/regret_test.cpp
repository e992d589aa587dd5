// SPDX-License-Identifier: BSD-3-Clause
// The losses that bench_regret finds in times made up.
#include "regret/judge.hpp"

#include <cmath>
#include <initializer_list>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace alltold::regret {
namespace {

Choice choice(std::string_view text) {
    return *parse_choice(text);
}

/// Eight repetitions: those that decide which choice is best, and those that count.
TimedChoice row(std::string_view text, double select_s, double judge_s) {
    TimedChoice made{choice(text), {}};
    for (int i = 0; i < 4; ++i) {
        const double noise = 1 + 1e-4 * i;
        made.times_s.push_back(select_s * noise);
        made.times_s.push_back(judge_s * noise);
    }
    return made;
}

TimedChoice row(std::string_view text, double time_s) {
    return row(text, time_s, time_s);
}

TimedCall call(std::vector<TimedChoice> timed) {
    return {Collective::bcast, Clusters({4, 4}), 10'000, StartMode::silence, std::move(timed)};
}

/// The verdict on a rule of these candidates.
Verdict judged(const TimedCall& call, std::initializer_list<std::string_view> candidates) {
    std::vector<Choice> choices;
    for (const auto text : candidates)
        choices.push_back(choice(text));
    return judge(call, choices);
}

TEST(Regret, one_half_of_the_repetitions_selects_the_best_and_the_other_judges_it) {
    const auto lab = call({row("mpi", 2), row("bcast.flat", 1.2), row("bcast.chain", 1, 1.1),
                           row("bcast.binomial", 1.1, 1)});
    const auto verdict = judged(lab, {"bcast.flat"});
    EXPECT_EQ(verdict.judged, Judged::yes);
    EXPECT_EQ(verdict.best, "bcast.chain");
    EXPECT_NEAR(verdict.loss, 1.2 / 1.1 - 1, 1e-3);
    EXPECT_NEAR(verdict.over_library, 1.2 / 2 - 1, 1e-3);
    EXPECT_NEAR(verdict.gain, std::log(2 / 1.2), 1e-3);
    EXPECT_NEAR(verdict.best_gain, std::log(2 / 1.1), 1e-3);
    EXPECT_FALSE(verdict.slower);
    EXPECT_EQ(judged(lab, {"bcast.binomial"}).loss, 0) << "quicker than the best is no loss";
}

TEST(Regret, slower_than_the_library_is_more_than_3_percent_beyond_noise) {
    const auto slower = [](TimedChoice chosen) {
        return judged(call({row("mpi", 1), std::move(chosen)}), {"bcast.flat"}).slower;
    };
    EXPECT_TRUE(slower(row("bcast.flat", 1.04)));
    EXPECT_FALSE(slower(row("bcast.flat", 1.02)));
    auto noisy = row("bcast.flat", 1.1);
    noisy.times_s[0] = 0.9; // of eight values the interval holds all
    EXPECT_FALSE(slower(noisy));
}

TEST(Regret, a_gain_of_noise_is_none) {
    auto noisy = row("mpi", 1);
    for (std::size_t i = 0; i < noisy.times_s.size(); ++i)
        noisy.times_s[i] = i % 4 < 2 ? 0.9 : 1.2;
    const auto verdict = judged(call({noisy, row("bcast.flat", 1)}), {"bcast.flat"});
    EXPECT_EQ(verdict.best_gain, 0);
    EXPECT_EQ(verdict.gain, 0);
    const auto kept = judged(call({row("mpi", 1), row("bcast.flat", 0.9)}), {"mpi"});
    EXPECT_NEAR(kept.best_gain, std::log(1 / 0.9), 1e-3);
    EXPECT_EQ(kept.gain, 0);
}

TEST(Regret, the_choice_of_the_rules_and_the_same_one_asked_for_are_one) {
    auto by_rules = row("bcast.flat", 1);
    by_rules.by_rules = true;
    const auto lab = call({row("mpi", 2), by_rules, row("bcast.flat", 1.1)});
    const auto verdict = judged(lab, {"bcast.flat"});
    EXPECT_NEAR(verdict.over_library, 1.05 / 2 - 1, 1e-3);
    EXPECT_FALSE(verdict.changed);
    EXPECT_TRUE(judged(lab, {"mpi"}).changed);
}

TEST(Regret, the_nearest_parameters_stand_for_those_that_were_not_timed) {
    const auto lab = call({row("mpi", 3), row("bcast.chain_segmented segment=1400", 1),
                           row("bcast.chain_segmented segment=8400", 2)});
    const auto verdict = judged(lab, {"bcast.chain_segmented segment=2800"});
    EXPECT_EQ(verdict.chosen, "bcast.chain_segmented segment=1400");
    EXPECT_NEAR(verdict.apart, 2, 1e-9);
    // The message is one segment either way.
    const auto whole = call({row("mpi", 3), row("bcast.chain_segmented segment=10000", 2)});
    EXPECT_NEAR(judged(whole, {"bcast.chain_segmented segment=20000"}).apart, 1, 1e-9);
    EXPECT_EQ(judged(lab, {"bcast.flat"}).judged, Judged::not_timed);
}

TEST(Regret, programs_try_all_that_the_rule_names_and_the_librarys_own) {
    const auto lab = call(
        {row("mpi", 3), row("bcast.flat", 4), row("bcast.chain", 2), row("bcast.binomial", 1)});
    const auto verdict = judged(lab, {"bcast.flat", "bcast.chain"});
    EXPECT_EQ(verdict.gain, 0);
    EXPECT_NEAR(verdict.tried_gain, std::log(3. / 2), 1e-3);
    EXPECT_NEAR(verdict.best_gain, std::log(3.), 1e-3);
    EXPECT_EQ(judged(lab, {"bcast.flat"}).tried_gain, 0) << "what is slower is sent back";
}

TEST(Regret, few_times_judge_nothing_unless_the_choice_was_dropped_as_too_slow) {
    TimedChoice few{choice("bcast.flat"), {2, 2.1, 2.2}};
    EXPECT_EQ(judged(call({row("mpi", 1), few}), {"bcast.flat"}).judged, Judged::too_few);
    few.dropped = true;
    const auto verdict = judged(call({row("mpi", 1), few}), {"bcast.flat"});
    EXPECT_EQ(verdict.judged, Judged::yes);
    EXPECT_NEAR(verdict.loss, 1.1, 1e-3);
    EXPECT_TRUE(verdict.slower);
    EXPECT_EQ(verdict.best, "mpi");
}

} // namespace
} // namespace alltold::regret

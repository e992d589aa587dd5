// SPDX-License-Identifier: BSD-3-Clause
// The comparison stays with the quicker choice, whatever the rule said, and costs a bounded share.
#include "preload/trial.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace {

using alltold::preload::Trial;

/// Runs `calls` calls on ranks whose times are ours_s[rank] and library_s[rank]; how many were the
/// library's. All ranks must choose alike.
int library_calls(std::vector<Trial>& ranks, int calls, const std::vector<double>& ours_s,
                  const std::vector<double>& library_s) {
    int count = 0;
    Trial::Times sums;
    bool due = false;
    for (int call = 0; call < calls; ++call) {
        if (due)
            for (auto& rank : ranks)
                rank.decide(sums);
        due = false;
        const bool library = ranks.front().turn_of_library();
        count += library;
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            auto& rank = ranks[r];
            EXPECT_EQ(rank.turn_of_library(), library) << "call " << call;
            if (rank.measuring())
                rank.add(library ? library_s[r] : ours_s[r]);
            const auto step = rank.next();
            if (step == Trial::Step::ask && r == 0)
                sums = {};
            if (step == Trial::Step::ask) {
                sums.ours_s += rank.times().ours_s;
                sums.library_s += rank.times().library_s;
            }
            due = due || step == Trial::Step::answer;
        }
    }
    return count;
}

TEST(Trial, stays_with_ours_where_it_is_quicker) {
    std::vector<Trial> ranks(3);
    const int count = library_calls(ranks, 10000, {1, 1, 1}, {2, 1, 1});
    EXPECT_FALSE(ranks[0].sent_back());
    EXPECT_LT(count, 10000 / 100);
    EXPECT_GT(count, 3);
}

TEST(Trial, sends_back_what_is_slower) {
    std::vector<Trial> ranks(3);
    const int count = library_calls(ranks, 10000, {1, 1, 4}, {2, 1, 1});
    EXPECT_TRUE(ranks[1].sent_back());
    EXPECT_GT(count, 10000 - 150);
}

TEST(Trial, costs_little_before_it_knows) {
    std::vector<Trial> ranks(1);
    EXPECT_EQ(library_calls(ranks, 32, {1}, {9}), 3);
    // The sums of the first round are used from call 32 on, and not before.
    ranks = std::vector<Trial>(1);
    EXPECT_EQ(library_calls(ranks, 33, {9}, {1}), 4);
}

TEST(Trial, follows_a_network_that_changes) {
    std::vector<Trial> ranks(2);
    library_calls(ranks, 3000, {1, 1}, {2, 2});
    EXPECT_FALSE(ranks[0].sent_back());
    library_calls(ranks, 3000, {3, 3}, {2, 2});
    EXPECT_TRUE(ranks[0].sent_back());
    library_calls(ranks, 3000, {1, 1}, {2, 2});
    EXPECT_FALSE(ranks[0].sent_back());
}

TEST(Trial, a_single_slow_call_decides_nothing) {
    Trial trial;
    for (int call = 0; call < Trial::round_calls; ++call) {
        trial.add(call == 0 || call == 2 ? 100 : trial.turn_of_library() ? 2 : 1);
        trial.next();
    }
    EXPECT_EQ(trial.times().ours_s, 1);
    EXPECT_EQ(trial.times().library_s, 2);
}

TEST(Trial, may_begin_with_the_library) {
    std::vector<Trial> ranks(2, Trial(Trial::First::library));
    EXPECT_EQ(library_calls(ranks, 32, {1, 1}, {2, 2}), 29);
    ranks.assign(2, Trial(Trial::First::library));
    EXPECT_LT(library_calls(ranks, 10000, {1, 1}, {2, 2}), 10000 / 100);
    EXPECT_FALSE(ranks[0].sent_back());
    ranks.assign(2, Trial(Trial::First::library));
    EXPECT_GT(library_calls(ranks, 10000, {2, 2}, {1, 1}), 10000 - 70);
    EXPECT_TRUE(ranks[0].sent_back());
}

/// The times of a round whose calls have kinds and times of their own.
template <typename TimeOf>
Trial::Times times_of_round(TimeOf&& time_s) {
    Trial trial(Trial::First::library);
    for (int call = 0; call < Trial::round_calls; ++call) {
        trial.add(time_s(call % 2, trial.turn_of_library()), call % 2);
        trial.next();
    }
    return trial.times();
}

TEST(Trial, compares_calls_of_one_kind) {
    // Of ours only one call in three is a short one; ours takes 0.9 of the time of either kind.
    const auto times = times_of_round(
        [](int kind, bool library) { return (kind ? 100 : 1) * (library ? 1 : 0.9); });
    EXPECT_NEAR(times.ours_s, 0.9 * times.library_s, 1e-9);
    EXPECT_GT(times.library_s, 0);
}

TEST(Trial, without_times_of_both_nothing_changes) {
    for (const auto first : {Trial::First::ours, Trial::First::library}) {
        Trial trial(first);
        for (int call = 0; call < Trial::round_calls; ++call) {
            trial.add(1, call); // each of a kind of its own
            trial.next();
        }
        EXPECT_EQ(trial.times().ours_s + trial.times().library_s, 0);
        trial.decide(trial.times());
        EXPECT_EQ(trial.sent_back(), first == Trial::First::library);
    }
}

} // namespace

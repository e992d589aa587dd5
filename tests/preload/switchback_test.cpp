// SPDX-License-Identifier: BSD-3-Clause
// The experiment keeps what is quicker by wall time, at a bounded cost, in simulated programs.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "preload/rank_blocks.hpp"

namespace alltold::preload {
namespace {

using Expected = std::vector<std::optional<double>>;

/// Calls of several shapes on several ranks, whose clocks differ a little.
class Program {
  public:
    Program(std::size_t ranks, std::uint64_t seed) : random_(seed), rights_(ranks) {}

    std::size_t add_shape(const Expected& expected, std::size_t present,
                          const Expected& in_loop = {}) {
        auto& shape = shapes_.emplace_back();
        std::vector<Switchback::Expected> both(expected.size());
        for (std::size_t i = 0; i < both.size(); ++i)
            both[i] = {expected[i], i < in_loop.size() ? in_loop[i] : std::nullopt};
        for (auto& right : rights_)
            shape.ranks.push_back(std::make_unique<RankBlocks>(
                Switchback(both, present, 0x9e3779b97f4a7c15U * shapes_.size()), right,
                Moment{now_s, now_.collectives, now_.inside_s}));
        return shapes_.size() - 1;
    }
    /// A call; `time_s` says how long it takes with a candidate, with all that follows it.
    template <typename TimeOf>
    void call(std::size_t which, TimeOf&& time_of) {
        auto& shape = shapes_[which];
        if (shape.ranks[0]->switchback().at_border())
            turn(shape);
        else if (shape.ranks[0]->switchback().at_mark())
            for (auto& rank : shape.ranks)
                rank->mark(now_s);
        const auto candidate = shape.ranks[0]->next();
        for (std::size_t rank = 1; rank < shape.ranks.size(); ++rank)
            EXPECT_EQ(shape.ranks[rank]->next(), candidate);
        switching = std::max(switching, switching_now());
        const double time_s = time_of(candidate);
        now_s += time_s;
        now_.collectives += 1 + others;
        now_.inside_s += time_s - gap_s;
        shape.calls += 1;
        shape.time_s += time_s;
    }
    const Switchback& shape(std::size_t which) const {
        return shapes_[which].ranks[0]->switchback();
    }
    Random& random() { return random_; }

    double now_s = 0;
    double gap_s = 0;  ///< after each call, in its time
    double others = 0; ///< calls of other collectives after each call, in its time
    double barrier_s = 0;
    int switching = 0; ///< the most shapes that ran a challenger at once

  private:
    struct Shape {
        std::vector<std::unique_ptr<RankBlocks>> ranks;
        std::optional<RankBlocks::Figures> pending;
        double calls = 0, time_s = 0;
    };

    void turn(Shape& shape) {
        RankBlocks::Figures most;
        for (std::size_t rank = 0; rank < shape.ranks.size(); ++rank) {
            const double late_s = 1e-5 * random_.uniform() * static_cast<double>(rank);
            const auto mine = shape.ranks[rank]->turn(
                {now_s + late_s, now_.collectives, now_.inside_s}, shape.pending);
            most.end_s = std::max(most.end_s, mine.end_s);
            most.mark_s = std::max(most.mark_s, mine.mark_s);
            most.busy = std::max(most.busy, mine.busy);
            most.spent_elsewhere_s = std::max(most.spent_elsewhere_s, mine.spent_elsewhere_s);
            most.outside_s = std::max(most.outside_s, mine.outside_s);
            most.others = std::max(most.others, mine.others);
            most.barrier_s = barrier_s;
        }
        shape.pending = most;
    }
    int switching_now() const {
        int count = 0;
        for (const auto& shape : shapes_) {
            const auto& one = shape.ranks[0]->switchback();
            count += one.runs() != one.present();
        }
        return count;
    }

    Random random_;
    Moment now_;
    std::vector<SwitchRight> rights_;
    std::vector<Shape> shapes_;
};

/// Times of calls: 10 % of scatter each, as much that stays for a tenth of a second, and rare
/// time-outs of TCP.
class Noise {
  public:
    Noise(Program& program, double time_outs) : program_(program), time_outs_(time_outs) {}
    double of(double time_s) {
        auto& random = program_.random();
        if (program_.now_s >= until_s_) {
            slow_ = 0.1 * random.normal();
            until_s_ = program_.now_s + 0.1;
        }
        return time_s * std::exp(slow_ + 0.1 * random.normal()) +
               (random.uniform() < time_outs_ ? 0.2 : 0);
    }

  private:
    Program& program_;
    double time_outs_;
    double slow_ = 0, until_s_ = 0;
};

/// A loop of one shape; candidate i takes times_s[i].
struct Loop {
    Expected expected;
    std::size_t present;
    std::vector<double> times_s;
    double run_s = 20;
    double time_outs = 0; ///< by call
    double drift = 0;     ///< times grow by this part over the run

    struct Ran {
        std::size_t present;
        double lost_s;                                 ///< by calls of others than the quickest
        double decided_s;                              ///< the last change of the present candidate
        std::optional<Switchback::Ratio> over_library; ///< of the present candidate
        double spent_s;
    };
    Ran run(std::uint64_t seed) const {
        Program program(1, seed);
        Noise noise(program, time_outs);
        program.add_shape(expected, present);
        const double least_s = *std::min_element(times_s.begin(), times_s.end());
        Ran ran{present, 0, 0, {}, 0};
        while (program.now_s < run_s)
            program.call(0, [&](std::size_t candidate) {
                if (program.shape(0).present() != ran.present) {
                    ran.present = program.shape(0).present();
                    ran.decided_s = program.now_s;
                }
                ran.lost_s += times_s[candidate] - least_s;
                return noise.of(times_s[candidate] * (1 + drift * program.now_s / run_s));
            });
        ran.over_library = program.shape(0).over_library(ran.present);
        ran.spent_s = program.shape(0).spent_s();
        return ran;
    }
    /// How many of so many runs fulfil it.
    int count(int runs, const std::function<bool(const Ran&)>& holds) const {
        int count = 0;
        for (int seed = 1; seed <= runs; ++seed)
            count += holds(run(static_cast<std::uint64_t>(seed)));
        return count;
    }
};

TEST(Switchback, EqualCandidatesSeldomChange) {
    const Loop loop{{1, 0.9}, 1, {3e-3, 3e-3}};
    EXPECT_LT(loop.count(1000, [](const auto& ran) { return ran.present != 1; }), 20);
    const Loop others{{1, {}, 0.8, 0.7}, 1, {3e-3, 3e-3, 3e-3, 3e-3}, 20, 2e-3};
    EXPECT_LT(others.count(300, [](const auto& ran) { return ran.present != 1; }), 6);
}

TEST(Switchback, TwiceAsFastRunsAfterASecond) {
    for (const double time_s : {2e-4, 4e-3, 30e-3}) {
        const Loop loop{{1, 0.5}, 0, {time_s, time_s / 2}, 5};
        // Blocks of one call scatter as calls do, so some need longer blocks.
        const double limit_s = std::max(1., 100 * time_s);
        const auto in_time = [&](const Loop::Ran& ran) {
            return ran.present == 1 && ran.decided_s <= limit_s;
        };
        EXPECT_GE(loop.count(100, in_time), 90) << time_s;
        EXPECT_EQ(loop.count(100, [](const auto& ran) { return ran.present == 1; }), 100);
    }
}

TEST(Switchback, WhatAChangeCostsIsNoEffect) {
    // The pipeline of one is deep, and fills in 30 ms.
    int right = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Program program(1, seed);
        Noise noise(program, 0);
        program.add_shape({1, 0.5}, 0);
        std::size_t last = 0;
        while (program.now_s < 20)
            program.call(0, [&](std::size_t candidate) {
                const bool fills = candidate > std::exchange(last, candidate);
                return noise.of(candidate == 0 ? 3.5e-3 : 2.8e-3) + (fills ? 30e-3 : 0);
            });
        right += program.shape(0).present() == 1;
    }
    EXPECT_GE(right, 95);
}

TEST(Switchback, RanksFarApartEnterCallsInBursts) {
    // Messages wait for others that were sent 25 ms before, and a change costs twice as much.
    constexpr double delay_s = 25e-3;
    int right = 0;
    double first_s = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Program program(1, seed);
        program.barrier_s = delay_s;
        Noise noise(program, 0);
        program.add_shape({1, 0.8}, 0);
        std::size_t last = 0;
        double free_s = 0; // the busiest port
        std::optional<double> decided_s;
        while (program.now_s < 20) {
            program.call(0, [&](std::size_t candidate) {
                if (candidate != std::exchange(last, candidate))
                    free_s += 2 * delay_s;
                free_s += noise.of(candidate == 0 ? 3.5e-3 : 2e-3);
                return std::max(0., std::ceil(free_s / delay_s) * delay_s - program.now_s);
            });
            if (program.shape(0).present() == 1 && !decided_s)
                decided_s = program.now_s;
        }
        right += program.shape(0).present() == 1;
        first_s += decided_s.value_or(20);
    }
    EXPECT_GE(right, 95);
    EXPECT_LE(first_s / 100, 8);
}

TEST(Switchback, AFewPercentAreFound) {
    const Loop loop{{1, 0.9}, 0, {4e-3, 3.6e-3}};
    EXPECT_GE(loop.count(100, [](const auto& ran) { return ran.present == 1; }), 75);
}

TEST(Switchback, WhatIsSlowerCostsAHundredth) {
    for (const double time_s : {2e-4, 4e-3, 30e-3}) { // expected to win, but does not
        const auto lost_less = [&](double ratio, double limit_s) {
            const Loop loop{{1, 0.5}, 0, {time_s, ratio * time_s}};
            return loop.count(
                100, [&](const auto& ran) { return ran.present == 0 && ran.lost_s <= limit_s; });
        };
        EXPECT_GE(lost_less(1.5, 0.3), 95) << time_s;
        EXPECT_GE(lost_less(2, 0.2), 90) << time_s;  // 1 % of the run
        EXPECT_GE(lost_less(10, 0.4), 95) << time_s; // one block, and no second
    }
}

TEST(Switchback, AWrongRuleCostsAHundredthOfAMinute) {
    for (const std::optional<double> expected : {std::optional<double>(), std::optional(0.5)})
        for (const double ratio : {1.5, 2., 4.}) {
            const Loop loop{{1, expected}, 1, {4e-3, ratio * 4e-3}, 60};
            EXPECT_GE(
                loop.count(100,
                           [](const auto& ran) { return ran.present == 0 && ran.lost_s <= 0.6; }),
                80)
                << ratio;
        }
}

TEST(Switchback, ARightRuleStays) {
    for (const double ratio : {1.05, 1.3, 2., 6.}) {
        const Loop loop{{1, {}}, 1, {ratio * 4e-3, 4e-3}, 20, 2e-3};
        EXPECT_GE(loop.count(300, [](const auto& ran) { return ran.present == 1; }), 294) << ratio;
    }
}

TEST(Switchback, TimeOutsCount) {
    // Quicker but for one call in 50, which takes 0.2 s more: slower in all.
    double lost_s = 0;
    constexpr int runs = 200;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        Program program(1, seed);
        Noise quiet(program, 0), losing(program, 0.02);
        program.add_shape({1, 0.5}, 0);
        while (program.now_s < 60)
            program.call(0, [&](std::size_t candidate) {
                lost_s += candidate == 1 ? 2e-3 + 0.02 * 0.2 - 4e-3 : 0;
                return candidate == 0 ? quiet.of(4e-3) : losing.of(2e-3);
            });
    }
    EXPECT_LT(lost_s / runs, 0.05 * 60);
}

TEST(Switchback, DriftFoolsItNot) {
    const Loop equal{{1, 0.9}, 1, {3e-3, 3e-3}, 20, 0, 1};
    EXPECT_LT(equal.count(500, [](const auto& ran) { return ran.present != 1; }), 10);
    const Loop right{{1, {}}, 1, {3.3e-3, 3e-3}, 20, 0, 1};
    EXPECT_GE(right.count(300, [](const auto& ran) { return ran.present == 1; }), 294);
}

TEST(Switchback, TheBestOfSeveralRuns) {
    const Loop loop{{1, 0.8, 0.5, 1.5}, 1, {4e-3, 3e-3, 2e-3, 8e-3}};
    EXPECT_GE(loop.count(100, [](const auto& ran) { return ran.present == 2; }), 98);
    const Loop unexpected{{1, 0.8, {}, 1.5}, 1, {4e-3, 3e-3, 2e-3, 8e-3}, 60};
    EXPECT_GE(unexpected.count(100, [](const auto& ran) { return ran.present == 2; }), 98);
}

TEST(Switchback, OneThatMustWaitLetsTheNextGoFirst) {
    // After the first quad, in which it takes as long, the budget holds the slower one up.
    int right = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Program program(1, seed);
        Noise noise(program, 0);
        program.add_shape({1, 0.7, 0.8}, 0);
        while (program.now_s < 10)
            program.call(0, [&](std::size_t candidate) {
                const bool filled = program.shape(0).spent_s() > 0 || program.now_s > 0.2;
                return noise.of(candidate == 0   ? 4e-3
                                : candidate == 2 ? 2.8e-3
                                : filled         ? 7.4e-3
                                                 : 4e-3);
            });
        right += program.shape(0).present() == 2;
    }
    EXPECT_GE(right, 90);
}

TEST(Switchback, WhatIsPredictedToLoseIsNotTried) {
    Program program(1, 1);
    program.add_shape({1, 1.1}, 0);
    while (program.now_s < 60)
        program.call(0, [&](std::size_t) { return 4e-3; });
    EXPECT_EQ(program.switching, 0);
}

TEST(Switchback, TriesFirstWhatAnUnbrokenLoopFavours) {
    const auto tried_first = [](double gap_s, double others) {
        Program program(3, 1);
        program.gap_s = gap_s;
        program.others = others;
        program.add_shape({1, 0.7, 0.9}, 0, {1, 1.5, 0.9});
        std::size_t first = 0;
        while (program.now_s < 1 && first == 0)
            program.call(0, [&](std::size_t candidate) {
                first = candidate;
                return 4e-3;
            });
        return first;
    };
    EXPECT_EQ(tried_first(0, 0), 2U);
    EXPECT_EQ(tried_first(3e-3, 0), 1U);
    EXPECT_EQ(tried_first(0, 1), 1U);
}

TEST(Switchback, SaysTheRatioToTheLibrary) {
    const Loop loop{{1, 0.6}, 1, {4e-3, 2e-3}};
    EXPECT_GE(loop.count(100,
                         [](const auto& ran) {
                             return ran.over_library &&
                                    std::abs(ran.over_library->log - std::log(0.5)) <
                                        3 * std::sqrt(ran.over_library->variance);
                         }),
              95);
    // Where the library's own is expected to take long, it is not measured at that price.
    const Loop dear{{1, 0.01}, 1, {400e-3, 4e-3}};
    EXPECT_FALSE(dear.run(1).over_library);
}

TEST(Switchback, FollowsANetworkThatChanges) {
    Program program(1, 3);
    Noise noise(program, 0);
    program.add_shape({1, 0.5}, 1);
    const auto run = [&](double until_s, double ours_s) {
        while (program.now_s < until_s)
            program.call(
                0, [&](std::size_t candidate) { return noise.of(candidate == 0 ? 4e-3 : ours_s); });
        return program.shape(0).present();
    };
    EXPECT_EQ(run(20, 2e-3), 1u);
    EXPECT_EQ(run(40, 8e-3), 0u);
    EXPECT_EQ(run(100, 2e-3), 1u);
}

/// A few calls of 0.25 s are enough to find a pipeline that takes a ninth of that, although its
/// first call takes half of it.
TEST(Switchback, LongCallsAreDecidedInFew) {
    int soon = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Program program(1, seed);
        program.add_shape({1, 0.4}, 0, {1, 0.4});
        std::size_t last = 0;
        for (int call = 0; call < 40; ++call)
            program.call(0, [&](std::size_t candidate) {
                const bool fills = candidate != last;
                last = candidate;
                const double time_s = candidate == 0 ? 0.25 : fills ? 0.14 : 0.028;
                const double scatter = candidate == 0 ? 0.1 : 0.05;
                return time_s * std::exp(scatter * program.random().normal());
            });
        soon += program.now_s < 5.5 && program.shape(0).present() == 1;
    }
    EXPECT_GE(soon, 85);
}

TEST(Switchback, OneOfManyShapesSwitches) {
    constexpr std::size_t shapes = 6, ranks = 3;
    int right = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Program program(ranks, seed);
        Noise noise(program, 0);
        for (std::size_t i = 0; i < shapes; ++i)
            program.add_shape({1, 0.7}, i % 2);
        while (program.now_s < 60)
            for (std::size_t i = 0; i < shapes; ++i)
                program.call(i, [&](std::size_t candidate) {
                    return noise.of(candidate == (i < 3 ? 1 : 0) ? 1e-3 : 5e-3);
                });
        for (std::size_t i = 0; i < shapes; ++i)
            right += program.shape(i).present() == (i < 3 ? 1u : 0u);
        EXPECT_EQ(program.switching, 1);
    }
    EXPECT_GE(right, 56) << "of 60";
}

TEST(Switchback, AShapeThatEndsHoldsUpNoOther) {
    Program program(1, 5);
    Noise noise(program, 0);
    program.add_shape({1, 0.7}, 0);
    while (!program.shape(0).needs_right())
        program.call(0, [&](std::size_t) { return noise.of(4e-3); });
    const auto other = program.add_shape({1, 0.7}, 0);
    const double from_s = program.now_s;
    while (program.now_s < from_s + 10)
        program.call(other,
                     [&](std::size_t candidate) { return noise.of(candidate == 0 ? 4e-3 : 2e-3); });
    EXPECT_EQ(program.shape(other).present(), 1u);
    EXPECT_EQ(program.shape(0).present(), 0u);
}

TEST(Switchback, WorkThatChangesIsNoEffect) {
    for (const bool equal : {true, false}) {
        int changed = 0;
        for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
            Program program(1, seed);
            program.add_shape({1, 0.7}, 0);
            while (program.now_s < 60)
                program.call(0, [&](std::size_t candidate) {
                    const double work_s = -3e-3 * std::log(1 - program.random().uniform());
                    return work_s + (candidate == 0 || equal ? 4e-3 : 2.8e-3);
                });
            changed += program.shape(0).present() == 1;
        }
        if (equal)
            EXPECT_LT(changed,
                      40); // some 3 %: work scatters by more than block times that are normal
        else
            EXPECT_GT(changed, 980);
    }
}

TEST(Switchback, WaitsUntilPipelinesAreFull) {
    // Over a backbone the first calls take ten times as long, a block of 20 ms each.
    for (int seed = 1; seed <= 20; ++seed) {
        Program program(1, static_cast<std::uint64_t>(seed));
        program.add_shape({1, 0.5}, 0);
        int tried = 0;
        for (int calls = 0; calls < 20; ++calls)
            program.call(0, [&](std::size_t candidate) {
                tried += candidate == 1;
                return calls < 4 ? 40e-3 : 4e-3;
            });
        EXPECT_EQ(tried, 0);
        while (program.now_s < 5)
            program.call(0, [&](std::size_t candidate) { return candidate == 0 ? 4e-3 : 2e-3; });
        EXPECT_EQ(program.shape(0).present(), 1u);
    }
}

TEST(Switchback, TriesNothingThatWorkHides) {
    const auto ran = [](double mean_work_s) {
        int tried = 0, won = 0;
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            Program program(2, seed);
            program.add_shape({1, 0.5}, 0);
            while (program.now_s < 20) {
                program.gap_s = -mean_work_s * std::log(1 - program.random().uniform());
                program.call(0, [&](std::size_t candidate) {
                    return program.gap_s + (candidate == 0 ? 4e-4 : 2e-4);
                });
            }
            tried += program.switching;
            won += program.shape(0).present() == 1;
        }
        return std::pair(tried, won);
    };
    const auto [tried, won] = ran(10e-3);
    EXPECT_LE(tried, 5);
    EXPECT_LE(won, 1);
    EXPECT_GE(ran(1e-4).second, 48);
}

TEST(Switchback, AllRanksDecideAlike) { // call() checks it
    int changed = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Program program(5, seed);
        Noise noise(program, 1e-3);
        program.add_shape({1, 0.7, {}}, 1);
        program.add_shape({1, {}}, 0);
        while (program.now_s < 20)
            for (const std::size_t shape : {0, 1})
                program.call(shape, [&](std::size_t candidate) {
                    return noise.of(1e-3 * static_cast<double>(1 + (candidate + shape) % 3));
                });
        changed += program.shape(0).present() == 0;
    }
    EXPECT_GT(changed, 2) << "nothing was decided";
}

} // namespace
} // namespace alltold::preload

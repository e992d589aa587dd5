// SPDX-License-Identifier: BSD-3-Clause
// The checker finds each mistake of a reduction, and says what was combined.
#include "schedule/contents.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "schedule/check.hpp"

using namespace alltold;

namespace {

constexpr std::uint64_t region = 8;
constexpr Region own{Buffer::send, 0, region}, result{Buffer::receive, 0, region};
constexpr Reduction in_order{.unit_bytes = 4, .commutative = false};
constexpr Reduction in_any_order{.unit_bytes = 4, .commutative = true};

using Writes = std::vector<std::function<void(Builder&)>>;

/// What is wrong with a reduction of 8 bytes, to rank 0 if rooted, written by hand for each rank.
std::string fault_of(Collective collective, const Reduction& reduction, const Writes& ranks) {
    std::vector<Schedule> schedules;
    for (const auto& write : ranks) {
        Builder builder;
        write(builder);
        schedules.push_back(std::move(builder).finish());
    }
    const auto spec =
        Specification::of(collective, static_cast<int>(ranks.size()), 0, region, reduction);
    const auto fault = check(spec, schedules);
    return fault ? fault->text() : "";
}

const auto send_to_0 = [](Builder& b) { b.send(own, 0); };
const auto no_operations = [](Builder&) {};

TEST(Contributions, AreNumberedByOperandsAndTheirOrder) {
    Contributions values(4, true);
    const auto low = *values.combined(0, 1), high = *values.combined(2, 3);
    EXPECT_EQ(*values.combined(0, 1), low);
    EXPECT_NE(*values.combined(1, 0), low);
    const auto all = *values.combined(low, high);
    EXPECT_NE(*values.combined(high, low), all);
    EXPECT_NE(*values.combined(*values.combined(low, 2), 3), all);
    EXPECT_TRUE(values.is_of_first(all, 4));
    EXPECT_TRUE(values.is_of_first(low, 2));
    EXPECT_FALSE(values.is_of_first(high, 2));
    EXPECT_FALSE(values.is_of_first(low, 3));
    EXPECT_EQ(values.text(3), "rank 3");
    EXPECT_EQ(values.text(all), "ranks 0 to 3");
    EXPECT_EQ(values.text(*values.combined(low, 3)), "ranks 0, 1, 3");
}

TEST(Contributions, CountOnce) {
    Contributions values(3, true);
    const auto twice = values.combined(*values.combined(0, 2), *values.combined(1, 2));
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().message, "combines the contribution of rank 2 twice");
}

TEST(Contributions, KeepTheOrderOfRanksWhereTheOperatorDoesNotCommute) {
    Contributions values(3, false);
    EXPECT_TRUE(values.combined(*values.combined(0, 1), 2));
    EXPECT_TRUE(values.combined(0, *values.combined(1, 2)));
    const auto gap = values.combined(0, 2), swapped = values.combined(1, 0);
    ASSERT_FALSE(gap);
    EXPECT_EQ(gap.error().message, "combines rank 0 with rank 2, out of the order of ranks");
    ASSERT_FALSE(swapped);
    EXPECT_EQ(swapped.error().message, "combines rank 1 with rank 0, out of the order of ranks");
}

TEST(ReductionCheck, PassesWhatIsRight) {
    const auto root = [](Builder& b) { b.combine(own, result, {b.receive(result, 1)}); };
    EXPECT_EQ(fault_of(Collective::reduce, in_order, {root, send_to_0}), "");
}

TEST(ReductionCheck, FindsALostContribution) {
    const auto root = [](Builder& b) { b.combine(own, result, {b.receive(result, 1)}); };
    EXPECT_EQ(fault_of(Collective::reduce, in_order, {root, send_to_0, no_operations}),
              "rank 0, block all->0: combines ranks 0 to 1 and should combine ranks 0 to 2");
    const auto overwritten = [](Builder& b) { b.receive(result, 1, {b.copy(own, result)}); };
    EXPECT_EQ(fault_of(Collective::reduce, in_order, {overwritten, send_to_0}),
              "rank 0, block all->0: combines rank 1 and should combine ranks 0 to 1");
    const auto alone = [](Builder& b) { b.copy(own, result); };
    EXPECT_EQ(fault_of(Collective::scan, in_order, {alone, alone}),
              "rank 1, block all->1: combines rank 1 and should combine ranks 0 to 1");
}

TEST(ReductionCheck, FindsAContributionOfTheWrongRank) {
    const auto all = [](int other) {
        return [other](Builder& b) {
            b.send(own, other);
            b.combine(own, result, {b.receive(result, other)});
        };
    };
    // The exscan of rank 1 is that of rank 0 alone.
    const auto with_own = [](Builder& b) { b.combine(own, result, {b.receive(result, 0)}); };
    EXPECT_EQ(
        fault_of(Collective::exscan, in_any_order, {[](Builder& b) { b.send(own, 1); }, with_own}),
        "rank 1, block all->1: combines ranks 0 to 1 and should combine ranks 0 to 0");
    EXPECT_EQ(fault_of(Collective::reduce, in_any_order, {all(1), all(0)}),
              "rank 1, step 1: reaches beyond its buffer");
}

TEST(ReductionCheck, FindsAContributionCountedTwice) {
    const auto root = [](Builder& b) {
        const auto combined = b.combine(own, result, {b.receive(result, 1)});
        b.combine(own, result, {combined});
    };
    EXPECT_EQ(fault_of(Collective::reduce, in_any_order, {root, send_to_0}),
              "rank 0, step 2, block 0->all: combines the contribution of rank 0 twice");
}

TEST(ReductionCheck, FindsTheWrongOrderOnlyWhereTheOperatorDoesNotCommute) {
    const auto root = [](Builder& b) {
        const auto from_2 = b.combine(own, result, {b.receive(result, 2)});
        const auto last = b.scratch(region);
        b.combine(last, result, {b.receive(last, 1), from_2});
    };
    EXPECT_EQ(fault_of(Collective::reduce, in_any_order, {root, send_to_0, send_to_0}), "");
    EXPECT_EQ(fault_of(Collective::reduce, in_order, {root, send_to_0, send_to_0}),
              "rank 0, step 1, block 0->all: combines rank 0 with rank 2, out of the order of "
              "ranks");
}

TEST(ReductionCheck, FindsAnElementThatIsCut) {
    const auto root = [](Builder& b) {
        const auto received = b.receive(result, 1);
        b.combine(subregion(own, 0, 6), subregion(result, 0, 6), {received});
        b.combine(subregion(own, 6, 2), subregion(result, 6, 2), {received});
    };
    EXPECT_EQ(fault_of(Collective::reduce, in_order, {root, send_to_0}),
              "rank 0, step 1, block 0->all: cuts an element");
    const auto shifted = [](Builder& b) {
        const auto received = b.receive(result, 1);
        b.combine(subregion(own, 0, 4), subregion(result, 4, 4), {received});
    };
    EXPECT_EQ(fault_of(Collective::reduce, in_order, {shifted, send_to_0}),
              "rank 0, step 1, block 0->all: combines different elements");
}

TEST(ReductionCheck, FindsRanksOfAnAllreduceWithOtherBits) {
    const auto own_first = [](int other) {
        return [other](Builder& b) {
            b.send(own, other);
            b.combine(own, result, {b.receive(result, other)});
        };
    };
    EXPECT_EQ(fault_of(Collective::allreduce, in_any_order, {own_first(1), own_first(0)}),
              "rank 1, block all->1: is not combined in the order in which rank 0 has it");
    const auto own_second = [](Builder& b) {
        b.send(own, 0);
        const auto copied = b.copy(own, result);
        const auto other = b.scratch(region);
        b.combine(other, result, {b.receive(other, 0), copied});
    };
    EXPECT_EQ(fault_of(Collective::allreduce, in_order, {own_first(1), own_second}), "");
}

TEST(ReductionCheck, FindsWhatMayNotBeCombined) {
    const auto into_own = [](Builder& b) { b.combine(result, own, {b.receive(result, 1)}); };
    EXPECT_EQ(fault_of(Collective::reduce, in_order, {into_own, send_to_0}),
              "rank 0, step 1, block all->0: writes to the send buffer");
    const auto too_soon = [](Builder& b) { b.combine(own, b.scratch(region)); };
    EXPECT_EQ(fault_of(Collective::reduce, in_order, {too_soon, no_operations}),
              "rank 0, step 0: combines uninitialised bytes");
    const auto bits = [](Builder& b) { b.combine(own, result, {b.copy(own, result)}); };
    EXPECT_EQ(fault_of(Collective::allgather, {}, {bits}),
              "rank 0, step 1, block 0->all: is no combination of a reduction");
}

} // namespace

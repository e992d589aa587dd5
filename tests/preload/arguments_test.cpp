// SPDX-License-Identifier: BSD-3-Clause
// Which arguments of a call count, and which operators go with which types.
#include <array>

#include <gtest/gtest.h>

#include "preload/arguments.hpp"
#include "preload/operands.hpp"

namespace alltold::preload {
namespace {

constexpr Caller first{MPI_COMM_NULL, 0, 4}, second{MPI_COMM_NULL, 1, 4};
std::array<int, 16> memory{};

TEST(Arguments, InPlaceWhereMpiAllowsIt) {
    int* const buffer = memory.data();
    const auto one = [&](Collective collective, const void* send, void* receive) {
        return traits_of(collective).reduces
                   ? reduction(collective, send, receive, 1, MPI_INT, MPI_SUM)
                   : blocks(collective, send, 1, MPI_INT, receive, 1, MPI_INT);
    };
    for (const auto collective : all_collectives) {
        if (collective == Collective::bcast || !traits_of(collective).has_data)
            continue;
        const bool rooted = traits_of(collective).rooted;
        const bool scatters = collective == Collective::scatter;
        const auto sends = one(collective, MPI_IN_PLACE, buffer);
        const auto receives = one(collective, buffer, MPI_IN_PLACE);
        EXPECT_EQ(wrongly_in_place(first, sends), scatters) << name_of(collective);
        EXPECT_EQ(wrongly_in_place(first, receives), !scatters) << name_of(collective);
        // Without the root's buffer, which may then be anything.
        EXPECT_EQ(wrongly_in_place(second, sends), rooted && !scatters) << name_of(collective);
        EXPECT_EQ(wrongly_in_place(second, receives), !rooted || scatters) << name_of(collective);
        EXPECT_FALSE(wrongly_in_place(first, one(collective, buffer, buffer + 8)));
    }
}

TEST(Arguments, TheSameMemory) {
    int* const buffer = memory.data();
    const auto sum = [&](Collective collective, int count) {
        return reduction(collective, buffer, buffer, count, MPI_INT, MPI_SUM);
    };
    EXPECT_TRUE(same_memory(second, sum(Collective::allreduce, 1), 4));
    EXPECT_FALSE(same_memory(second, sum(Collective::allreduce, 0), 0));
    EXPECT_TRUE(same_memory(first, sum(Collective::reduce, 1), 4));
    EXPECT_FALSE(same_memory(second, sum(Collective::reduce, 1), 4));
    EXPECT_FALSE(same_memory(first, Arguments{Collective::barrier}, 0));
    const auto gathered = [&](int place) {
        return blocks(Collective::allgather, buffer + place, 1, MPI_INT, buffer, 1, MPI_INT);
    };
    EXPECT_TRUE(same_memory(second, gathered(1), 4)); // its own block
    EXPECT_FALSE(same_memory(second, gathered(0), 4));
    const auto exchanged = [&](int count, MPI_Datatype type) {
        return blocks(Collective::alltoall, buffer, 1, MPI_INT, buffer, count, type);
    };
    EXPECT_TRUE(same_memory(first, exchanged(1, MPI_INT), 4));
    // Types may have gaps where the other side's data lie.
    EXPECT_FALSE(same_memory(first, exchanged(1, MPI_FLOAT), 4));
    EXPECT_FALSE(same_memory(first, exchanged(4, MPI_BYTE), 4));
}

TEST(Arguments, TheSameMemoryOfAnAllToAllV) {
    const std::array<int, 4> counts{1, 1, 1, 1}, others = counts, none{};
    const auto side = [&](const std::array<int, 4>& each) {
        return VectorSide{memory.data(), each.data(), each.data(), MPI_INT};
    };
    const int refusal = same_memory_refusal(Collective::alltoallv, 1);
    EXPECT_EQ(refusal_of(first, side(counts), side(counts)), refusal);
    EXPECT_EQ(refusal_of(first, side(counts), side(others)), MPI_SUCCESS); // parts of one buffer
    EXPECT_EQ(refusal_of(first, side(none), side(none)), MPI_SUCCESS);
}

TEST(Operands, AsMpiDefinesThem) {
    for (int again = 0; again < 2; ++again) { // the last pair is kept
        EXPECT_TRUE(operands_of(MPI_SUM, MPI_INT).known);
        EXPECT_TRUE(operands_of(MPI_SUM, MPI_INT).exact);
        EXPECT_TRUE(operands_of(MPI_SUM, MPI_DOUBLE).known);
        EXPECT_FALSE(operands_of(MPI_SUM, MPI_DOUBLE).exact);
        EXPECT_FALSE(operands_of(MPI_PROD, MPI_DOUBLE_COMPLEX).exact);
        EXPECT_TRUE(operands_of(MPI_MAX, MPI_DOUBLE).exact);
        EXPECT_TRUE(operands_of(MPI_MAXLOC, MPI_DOUBLE_INT).known);
        EXPECT_TRUE(operands_of(MPI_BXOR, MPI_BYTE).known);
        EXPECT_TRUE(operands_of(MPI_LAND, MPI_LOGICAL).known);
        EXPECT_FALSE(operands_of(MPI_BAND, MPI_DOUBLE).known);
        EXPECT_FALSE(operands_of(MPI_MAX, MPI_DOUBLE_COMPLEX).known);
        EXPECT_FALSE(operands_of(MPI_MAXLOC, MPI_INT).known);
        EXPECT_FALSE(operands_of(MPI_SUM, MPI_CHAR).known);
        EXPECT_FALSE(operands_of(MPI_REPLACE, MPI_INT).known);
        EXPECT_FALSE(operands_of(MPI_OP_NULL, MPI_INT).known);
    }
}

} // namespace
} // namespace alltold::preload

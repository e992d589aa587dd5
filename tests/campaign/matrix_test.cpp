// SPDX-License-Identifier: BSD-3-Clause
// Matrices of all-to-all-v: what the made ones promise, and what is wrong with a file.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "predict/bounds/bounds.hpp"
#include "schedule/matrix.hpp"

namespace alltold::campaign {
namespace {

TEST(Matrix, SkewedHasOneRankWithTenTimesTheRest) {
    EXPECT_TRUE(rc::check([] {
        const int n = *rc::gen::inRange(3, 20);
        const auto matrix = generated_matrix("skewed", n, *rc::gen::inRange(0, 1000));
        RC_ASSERT(matrix);
        const auto spec = matrix->specification(n, 100);
        int hot = 0;
        for (int rank = 0; rank < n; ++rank) {
            const auto sent = spec.buffer_bytes(rank, Buffer::send);
            RC_ASSERT(sent == spec.buffer_bytes(rank, Buffer::receive));
            if (sent == 1000u * (n - 1) + 100)
                ++hot;
            else
                RC_ASSERT(sent == 100u * (n - 1) + 1000);
        }
        RC_ASSERT(hot == 1);
    }));
}

TEST(Matrix, SparseLeavesOneInFive) {
    const auto matrix = generated_matrix("sparse", 11, 3);
    ASSERT_TRUE(matrix);
    const auto spec = matrix->specification(11, 64);
    int full = 0;
    for (int from = 0; from < 11; ++from)
        for (int to = 0; to < 11; ++to)
            if (from != to) {
                EXPECT_TRUE(spec.size_bytes(from, to) == 0 || spec.size_bytes(from, to) == 64);
                full += spec.size_bytes(from, to) > 0 ? 1 : 0;
            }
    EXPECT_EQ(full, 22);
}

TEST(Matrix, IsTheSameForTheSameSeedAlone) {
    for (const auto* word : {"skewed", "sparse", "random"}) {
        EXPECT_EQ(generated_matrix(word, 12, 5)->weights, generated_matrix(word, 12, 5)->weights);
        EXPECT_NE(generated_matrix(word, 12, 5)->weights, generated_matrix(word, 12, 8)->weights)
            << word;
    }
    EXPECT_FALSE(generated_matrix("dense", 12, 5));
}

TEST(Matrix, AFileIsReadAsItStands) {
    std::uint64_t m = 0;
    const auto matrix = parse_matrix("# to: 0 1\n0 64KiB\n\n7 3\n", "my.txt", 2, m);
    ASSERT_TRUE(matrix) << matrix.error().message;
    EXPECT_EQ(m, 65536u);
    const auto spec = matrix->specification(2, m);
    EXPECT_EQ(spec.size_bytes(0, 0), 0u);
    EXPECT_EQ(spec.size_bytes(0, 1), 65536u);
    EXPECT_EQ(spec.size_bytes(1, 0), 7u);
    EXPECT_EQ(spec.size_bytes(1, 1), 3u);
}

TEST(Matrix, AFileSaysWhereItIsWrong) {
    const auto refusal = [](const char* text) {
        std::uint64_t m = 0;
        const auto matrix = parse_matrix(text, "my.txt", 2, m);
        return matrix ? std::string("read") : matrix.error().message;
    };
    EXPECT_TRUE(refusal("1 2\n3 many\n").starts_with("my.txt:2: ")) << refusal("1 2\n3 many\n");
    EXPECT_TRUE(refusal("1 2\n3\n").starts_with("my.txt:2: 1 sizes"));
    EXPECT_TRUE(refusal("1 2\n").starts_with("my.txt: 1 lines"));
    EXPECT_TRUE(refusal("1 2\n3 4\n5 6\n").starts_with("my.txt:3: "));
    EXPECT_TRUE(refusal("0 0\n0 0\n").starts_with("my.txt: all sizes"));
}

TEST(Matrix, BoundIsThatOfTheBusiestHost) {
    std::uint64_t m = 0;
    const auto matrix = parse_matrix("900 1 2\n30 0 4\n500 6 7\n", "my.txt", 3, m);
    ASSERT_TRUE(matrix);
    // Rank 0 receives 530, of which it sends none to itself.
    EXPECT_DOUBLE_EQ(collective_bound_s(matrix->specification(3, m), Clusters({3}), 10, {}), 53);
    // 506 leave the cluster of rank 2 alone.
    EXPECT_DOUBLE_EQ(
        collective_bound_s(matrix->specification(3, m), Clusters({2, 1}), 10, Backbone{1, 0.5}),
        506.5);
}

} // namespace
} // namespace alltold::campaign

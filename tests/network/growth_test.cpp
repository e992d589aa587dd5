// SPDX-License-Identifier: BSD-3-Clause
// Growth of times that are made up.
#include "network/growth/growth.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace alltold {
namespace {

std::vector<GrowthPoint> points(const std::vector<double>& ranks,
                                const std::function<double(double, double)>& time_s) {
    std::vector<GrowthPoint> all;
    for (const double n : ranks)
        for (double m = 8; m <= 8 << 20; m *= 16)
            all.push_back({n, m, time_s(n, m)});
    return all;
}

double binomial_s(double ranks, double size_bytes) {
    return std::log2(ranks) * (5e-6 + 1e-10 * size_bytes);
}

double width(const Estimate& time_s) {
    return std::log(time_s.high / time_s.low);
}

TEST(Growth, goes_on_to_more_ranks_and_between_sizes) {
    const Growth growth(Collective::bcast, "mpi.binomial", points({4, 16, 64}, binomial_s));
    for (const double n : {16., 32., 512.})
        for (const double m : {32., 4096., 1e6}) {
            const auto time_s = growth.at(n, m);
            EXPECT_NEAR(time_s.value / binomial_s(n, m), 1, n > 64 ? 0.4 : 0.2) << n << " " << m;
            EXPECT_LE(time_s.low, binomial_s(n, m));
            EXPECT_GE(time_s.high, binomial_s(n, m));
        }
}

TEST(Growth, is_less_certain_farther_away) {
    const Growth growth(Collective::bcast, "mpi.binomial", points({4, 16, 64}, binomial_s));
    double before = width(growth.at(64, 2048));
    for (const double n : {128., 512., 4096.}) {
        EXPECT_GT(width(growth.at(n, 2048)), before) << n;
        before = width(growth.at(n, 2048));
    }
    EXPECT_LT(width(growth.at(64, 2048)), width(growth.at(64, 512))) << "this one was measured";
}

TEST(Growth, expects_what_names_say_until_it_is_measured) {
    const auto of = [](const char* name, const std::vector<double>& ranks) {
        return Growth(Collective::allgather, name,
                      points(ranks, [](double n, double) { return 1e-6 * n; }))
            .at(512, 8);
    };
    EXPECT_GT(of("mpi.ring", {8}).value, 2 * of("mpi.recursive_doubling", {8}).value);
    EXPECT_NEAR(of("mpi.recursive_doubling", {8, 16, 32, 64, 128}).value, 512e-6, 250e-6)
        << "measured calls count more";
}

TEST(Growth, takes_misfits_by_the_whole_vector_of_blocks) {
    // Another algorithm from 64 KiB of all blocks together.
    const auto stepped_s = [](double n, double m) { return (n * m > 65536 ? 1e-5 : 1e-6) * n; };
    std::vector<GrowthPoint> all;
    for (const double n : {4., 16.})
        for (double vector = 1024; vector <= 4 << 20; vector *= 4)
            all.push_back({n, vector / n, stepped_s(n, vector / n)});
    const Growth growth(Collective::allgather, "x", all);
    const auto over = [&](double vector) {
        return growth.at(256, vector / 256).value / stepped_s(256, vector / 256);
    };
    EXPECT_NEAR(std::log(over(16384) / over(262144)), 0, std::log(2.5));
}

TEST(Growth, draws_the_same_worlds_each_time) {
    const Growth growth(Collective::alltoall, "mpi", points({4, 16}, binomial_s));
    EXPECT_EQ(growth.draws(64, 100), growth.draws(64, 100));
    EXPECT_EQ(growth.at(4, 8).value,
              Growth(Collective::alltoall, "mpi", points({4, 16}, binomial_s)).at(4, 8).value);
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Growth of times that are made up.
#include "network/growth/growth.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace alltold {
namespace {

using Time = std::function<double(double, double)>; ///< by n and m

std::vector<GrowthPoint> points(const std::string& algorithm, const std::vector<double>& ranks,
                                const Time& time_s) {
    std::vector<GrowthPoint> all;
    for (const double n : ranks)
        for (double m = 8; m <= 8 << 20; m *= 16)
            all.push_back({algorithm, n, m, time_s(n, m)});
    return all;
}

/// All of them, one after another.
std::vector<GrowthPoint> together(std::vector<std::vector<GrowthPoint>> parts) {
    std::vector<GrowthPoint> all;
    for (auto& part : parts)
        std::ranges::move(part, std::back_inserter(all));
    return all;
}

double binomial_s(double ranks, double size_bytes) {
    return std::log2(ranks) * (5e-6 + 1e-10 * size_bytes);
}

Estimate at(const Growth& growth, const std::string& algorithm, double ranks, double size_bytes) {
    return Growth::time_of(growth.draws(algorithm, ranks, size_bytes));
}

double width(const Estimate& time_s) {
    return std::log(time_s.high / time_s.low);
}

/// 90 % interval of the ratio of two algorithms' times.
Estimate ratio(const Growth& growth, const std::string& a, const std::string& b, double ranks,
               double size_bytes) {
    auto logs = growth.draws(a, ranks, size_bytes);
    const auto others = growth.draws(b, ranks, size_bytes);
    for (std::size_t world = 0; world < logs.size(); ++world)
        logs[world] -= others[world];
    return Growth::time_of(logs);
}

TEST(Growth, goes_on_to_more_ranks_and_between_sizes) {
    const std::string name = "mpi.binomial";
    const Growth growth(Collective::bcast, points(name, {4, 16, 64}, binomial_s));
    for (const double n : {16., 32., 512.})
        for (const double m : {32., 4096., 1e6}) {
            const auto time_s = at(growth, name, n, m);
            EXPECT_NEAR(time_s.value / binomial_s(n, m), 1, n > 64 ? 0.4 : 0.2) << n << " " << m;
            EXPECT_LE(time_s.low, binomial_s(n, m));
            EXPECT_GE(time_s.high, binomial_s(n, m));
        }
}

TEST(Growth, is_less_certain_farther_away) {
    const std::string name = "mpi.binomial";
    const Growth growth(Collective::bcast, points(name, {4, 16, 64}, binomial_s));
    double before = width(at(growth, name, 64, 2048));
    for (const double n : {128., 512., 4096.}) {
        EXPECT_GT(width(at(growth, name, n, 2048)), before) << n;
        before = width(at(growth, name, n, 2048));
    }
    EXPECT_LT(width(at(growth, name, 64, 2048)), width(at(growth, name, 64, 512)))
        << "this one was measured";
}

TEST(Growth, expects_what_names_say_until_it_is_measured) {
    const auto of = [](const char* name, const std::vector<double>& ranks) {
        return at(Growth(Collective::allgather,
                         points(name, ranks, [](double n, double) { return 1e-6 * n; })),
                  name, 512, 8);
    };
    EXPECT_GT(of("mpi.ring", {8}).value, 2 * of("mpi.recursive_doubling", {8}).value);
    EXPECT_NEAR(of("mpi.recursive_doubling", {8, 16, 32, 64, 128}).value, 512e-6, 250e-6)
        << "measured calls count more";
}

TEST(Growth, takes_misfits_by_the_whole_vector_of_blocks_too) {
    // Another algorithm from 64 KiB of all blocks together.
    const auto stepped_s = [](double n, double m) { return (n * m > 65536 ? 1e-5 : 1e-6) * n; };
    std::vector<GrowthPoint> all;
    for (const double n : {4., 16.})
        for (double vector = 1024; vector <= 4 << 20; vector *= 4)
            all.push_back({"x", n, vector / n, stepped_s(n, vector / n)});
    const Growth growth(Collective::allgather, all);
    const auto over = [&](double vector) {
        return at(growth, "x", 256, vector / 256).value / stepped_s(256, vector / 256);
    };
    EXPECT_NEAR(std::log(over(16384) / over(262144)), 0, std::log(4)) << "10 by blocks alone";
}

TEST(Growth, knows_ratios_better_than_times_the_more_alike_algorithms_are) {
    const auto scaled = [](double by) {
        return [by](double n, double m) { return by * binomial_s(n, m); };
    };
    const Growth growth(Collective::bcast, together({points("mpi", {4, 16}, binomial_s),
                                                     points("a", {4, 16}, scaled(1.02)),
                                                     points("b", {4, 16}, scaled(4))}));
    const double of_alike = width(ratio(growth, "a", "mpi", 64, 2048));
    const double of_others = width(ratio(growth, "b", "mpi", 64, 2048));
    EXPECT_LT(of_alike, 0.8 * of_others);
    EXPECT_LT(of_others, 1.2 * width(at(growth, "mpi", 64, 2048)));
}

TEST(Growth, learns_how_much_all_algorithms_have_in_common) {
    const auto growth = [](double on_16) {
        std::vector<std::vector<GrowthPoint>> parts;
        for (const char* name : {"a", "b", "c", "d", "e", "f"})
            parts.push_back(points(name, {4, 8, 16, 32, 64}, [&](double n, double m) {
                return (n == 16 ? on_16 : 1) * binomial_s(n, m);
            }));
        return Growth(Collective::bcast, together(std::move(parts)));
    };
    EXPECT_GT(width(at(growth(6), "a", 256, 2048)), 1.3 * width(at(growth(1), "a", 256, 2048)))
        << "all were slow on 16 ranks";
}

TEST(Growth, draws_the_same_worlds_each_time) {
    const auto growth = [] {
        return Growth(Collective::alltoall, points("mpi", {4, 16}, binomial_s));
    };
    const auto first = growth();
    const auto draws = first.draws("mpi", 64, 100);
    EXPECT_NE(first.draws("mpi", 64, 101), draws);
    EXPECT_EQ(first.draws("mpi", 64, 100), draws);
    EXPECT_EQ(growth().draws("mpi", 64, 100), draws);
}

} // namespace
} // namespace alltold

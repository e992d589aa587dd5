// SPDX-License-Identifier: BSD-3-Clause
// Curves get points where they bend, and only there.
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "campaign/probes/shared/bend_points.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

PointProgress known(std::uint64_t size_bytes, double time_s, std::size_t samples = 6) {
    PointProgress progress;
    progress.point = {"plogp.send", "mpi", Clusters({2}), size_bytes, 0, 1};
    progress.times_s.assign(samples, time_s);
    return progress;
}

/// Powers of two from 64 B to 1 MiB.
std::vector<PointProgress> curve(const std::function<double(double)>& time_s) {
    std::vector<PointProgress> known_points{known(1, time_s(1))};
    for (std::uint64_t m = 64; m <= 1 << 20; m *= 2)
        known_points.push_back(known(m, time_s(static_cast<double>(m))));
    return known_points;
}

double eager_to_64k(double m) {
    return m < 65536 ? 5e-6 + 1e-9 * m : 160e-9 * m;
}

} // namespace

TEST(BendPoints, AStraightLineNeedsNone) {
    EXPECT_TRUE(bend_points(curve([](double m) { return 1e-5 + 1e-8 * m; })).empty());
}

TEST(BendPoints, CloseInOnAChangeOfProtocol) {
    auto known_points = curve(eager_to_64k);
    std::size_t added = 0;
    for (auto points = bend_points(known_points); !points.empty();
         points = bend_points(known_points)) {
        ASSERT_LE(points.size(), 4U);
        for (const auto& point : points) {
            EXPECT_TRUE(std::none_of(
                known_points.begin(), known_points.end(),
                [&](const PointProgress& progress) { return progress.point == point; }))
                << point.size_bytes;
            known_points.push_back(
                known(point.size_bytes, eager_to_64k(static_cast<double>(point.size_bytes))));
            ++added;
        }
        ASSERT_LE(added, 12U);
    }
    std::uint64_t last_eager = 0;
    for (const auto& progress : known_points)
        if (progress.point.size_bytes < 65536)
            last_eager = std::max(last_eager, progress.point.size_bytes);
    EXPECT_GT(last_eager, 65536 / 1.1 - 128);
}

TEST(BendPoints, WaitUntilAllIsKnown) {
    auto known_points = curve(eager_to_64k);
    ASSERT_FALSE(bend_points(known_points).empty());
    known_points[3].times_s.resize(2);
    EXPECT_TRUE(bend_points(known_points).empty());
    known_points[3].why = Why::large;
    EXPECT_FALSE(bend_points(known_points).empty()) << "what is left out is not waited for";
}

TEST(BendPoints, TakeNoNoiseForABend) {
    auto known_points = curve([](double m) { return 1e-5 + 1e-8 * m; });
    known_points[8].times_s = {1e-5, 3e-5, 8e-5, 2e-4, 5e-5};
    EXPECT_TRUE(bend_points(known_points).empty());
}

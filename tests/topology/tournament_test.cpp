// SPDX-License-Identifier: BSD-3-Clause
#include "topology/find_clusters.hpp"

#include <numeric>
#include <set>
#include <utility>

#include <gmock/gmock.h>

namespace alltold {
namespace {

std::vector<int> players(int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 10);
    return all;
}

TEST(Tournament, lets_each_two_meet_once_in_rounds_of_disjoint_pairs) {
    for (int count = 0; count <= 13; ++count) {
        const auto all = players(count);
        const auto rounds = tournament(all);
        EXPECT_EQ(std::ssize(rounds), count < 2 ? 0 : count - 1 + count % 2) << count;
        std::set<std::pair<int, int>> met;
        for (const auto& round : rounds) {
            std::set<int> busy;
            for (const auto& [first, second] : round) {
                EXPECT_TRUE(busy.insert(first).second && busy.insert(second).second) << count;
                EXPECT_TRUE(met.insert(std::minmax(first, second)).second) << count;
            }
        }
        EXPECT_EQ(std::ssize(met), count * (count - 1) / 2) << count;
    }
}

TEST(Tournament, ends_after_the_first_rounds) {
    const auto all = players(8);
    EXPECT_EQ(tournament(all, 3).size(), 3U);
    EXPECT_EQ(tournament(all, 100).size(), 7U);
}

} // namespace
} // namespace alltold

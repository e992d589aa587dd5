// SPDX-License-Identifier: BSD-3-Clause
// The rounds of the circulant broadcast fit together and are as few as can be.
#include "schedule/algorithms/circulant.hpp"

#include <bit>

#include <gtest/gtest.h>

using namespace alltold;

namespace {

TEST(Circulant, EveryPlaceHasEveryBlockAfterTheFewestRounds) {
    for (int places = 1; places <= 70; ++places)
        for (const std::int64_t blocks : {1, 2, 3, 5, 8, 17}) {
            const auto q = std::bit_width(static_cast<unsigned>(places) - 1U);
            const auto fewest = places == 1 ? 0 : static_cast<std::size_t>(blocks - 1 + q);
            std::vector<std::vector<CirculantRound>> all;
            for (int place = 0; place < places; ++place)
                all.push_back(circulant_rounds(place, places, blocks));
            std::vector<std::vector<char>> has(all.size(),
                                               std::vector<char>(static_cast<std::size_t>(blocks)));
            has[0].assign(has[0].size(), 1);
            std::vector<int> back(static_cast<std::size_t>(blocks));
            for (std::size_t i = 0; i < fewest; ++i) {
                const auto before = has;
                for (int place = 0; place < places; ++place) {
                    const auto at = static_cast<std::size_t>(place);
                    ASSERT_EQ(all[at].size(), fewest) << places << " places";
                    const auto& mine = all[at][i];
                    if (mine.to >= 0) {
                        const auto& theirs = all[static_cast<std::size_t>(mine.to)][i];
                        ASSERT_EQ(theirs.from, place);
                        ASSERT_EQ(theirs.received, mine.sent);
                        ASSERT_TRUE(before[at][static_cast<std::size_t>(mine.sent)]);
                    }
                    if (mine.from < 0)
                        continue;
                    ASSERT_EQ(all[static_cast<std::size_t>(mine.from)][i].to, place);
                    if (place == 0) {
                        ++back[static_cast<std::size_t>(mine.received)];
                        continue;
                    }
                    auto& block = has[at][static_cast<std::size_t>(mine.received)];
                    ASSERT_FALSE(block) << "received twice";
                    block = 1;
                }
            }
            for (std::int64_t block = 0; block < blocks; ++block)
                ASSERT_EQ(back[static_cast<std::size_t>(block)], places > 1 && block < blocks - 1)
                    << "block " << block << " comes back to the root";
            for (const auto& blocks_here : has)
                for (const auto block : blocks_here)
                    ASSERT_TRUE(block) << places << " places, " << blocks << " blocks";
        }
}

} // namespace

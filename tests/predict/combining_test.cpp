// SPDX-License-Identifier: BSD-3-Clause
// Predictions of reductions, and of nothing else, include what combining costs.
#include <gtest/gtest.h>

#include "networks.hpp"
#include "predict/choice/explain.hpp"
#include "predict/choice/rank.hpp"

namespace alltold {
namespace {

using namespace test;

constexpr std::uint64_t size_bytes = 1 << 20;

CallTime evaluated(const Network& network, std::string_view name) {
    const auto choice = *parse_choice(name);
    return *evaluate(network, choice.algorithm->collective, Clusters({12}), size_bytes, choice);
}

Network combining_at(Estimate bytes_per_s) {
    auto network = slow_network();
    network.combined_bytes_per_s = bytes_per_s;
    return network;
}

TEST(PredictCombining, AddsToReductionsOnly) {
    const auto free = slow_network(), slow = combining_at(Estimate::exact(1e9));
    // One segment, so that eleven ranks combine all of it one after the other.
    const char* whole = "reduce.chain_segmented segment=1MiB";
    EXPECT_NEAR(evaluated(slow, whole).time_s.value - evaluated(free, whole).time_s.value,
                11 * static_cast<double>(size_bytes) / 1e9, 1e-6);
    EXPECT_EQ(evaluated(slow, "allgather.ring").time_s.value,
              evaluated(free, "allgather.ring").time_s.value);
}

TEST(PredictCombining, IsPartOfTheIntervalAndOfTheExplanation) {
    auto exact = combining_at(Estimate::exact(1e6)), wide = combining_at({1e6, 0.5e6, 2e6});
    for (auto* network : {&exact, &wide})
        network->plogp->L_s = {100e-6, 90e-6, 110e-6};
    const char* name = "reduce.chain_segmented segment=1MiB";
    const auto narrow = evaluated(exact, name).time_s, broad = evaluated(wide, name).time_s;
    EXPECT_EQ(narrow.value, broad.value);
    EXPECT_LT(broad.low, 0.8 * narrow.low);
    EXPECT_GT(broad.high, 1.2 * narrow.high);
    const auto ranking = rank(exact, Collective::reduce, Clusters({12}), size_bytes);
    ASSERT_TRUE(ranking);
    const auto parts = parts_of(exact, *ranking, ranking->candidates.front());
    ASSERT_TRUE(parts);
    EXPECT_GT(parts->combining, 0.5) << "six times as slow as the network";
}

} // namespace
} // namespace alltold

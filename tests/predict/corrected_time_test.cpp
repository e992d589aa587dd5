// SPDX-License-Identifier: BSD-3-Clause
#include "predict/corrections/corrected_time.hpp"

#include <gtest/gtest.h>

#include "network/cost_model.hpp"
#include "network/network.hpp"

namespace alltold {
namespace {

TEST(CorrectedTime, takes_over_what_the_model_says_of_a_call) {
    Network network;
    const Clusters clusters({4});
    const auto specification = Specification::of(Collective::alltoall, clusters.ranks(), 0, 4096);
    ModelTime time{.time_s = {1, 1, 1}};
    time.window_share = 0.25;
    const Parameters parameters;
    const TimedCall call{network,  **find_algorithm("alltoall.rotated"), specification,
                         clusters, **algorithm_model("links"),           parameters,
                         time};
    auto traits = traits_of(call);
    EXPECT_EQ(traits.modelled_s, 1);
    EXPECT_EQ(traits.window_share, 0.25);
    EXPECT_FALSE(traits.may_lose);
    EXPECT_FALSE(traits.loses_packets);
    time.may_lose = true;
    EXPECT_TRUE(traits_of(call).may_lose);
    EXPECT_FALSE(traits_of(call).loses_packets);
    time.overflow_bytes = 1448;
    EXPECT_TRUE(traits_of(call).loses_packets);
}

} // namespace
} // namespace alltold

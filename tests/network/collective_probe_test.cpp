// SPDX-License-Identifier: BSD-3-Clause
// Probes of collectives name what repetitions follow.
#include "network/collective_probe.hpp"

#include <gtest/gtest.h>

namespace alltold {
namespace {

TEST(CollectiveProbe, NamesItsStartOnlyIfItIsUnusual) {
    for (const char* text :
         {"alltoall", "barrier:alltoall", "loop:bcast", "within:alltoall"}) {
        const auto probe = CollectiveProbe::parse(text);
        ASSERT_TRUE(probe) << text;
        EXPECT_EQ(probe->text(), text);
    }
    for (const char* text : {"pingpong", "barrier:pingpong", "noise:alltoall", "alltoall:barrier",
                             "within:pingpong", "within"})
        EXPECT_FALSE(CollectiveProbe::parse(text)) << text;
    EXPECT_EQ(start_mode_of("alltoall", StartMode::silence), StartMode::silence);
    EXPECT_EQ(start_mode_of("barrier:alltoall", StartMode::silence), StartMode::barrier);
    EXPECT_EQ(start_mode_of("within:alltoall", StartMode::barrier), StartMode::barrier);
    EXPECT_EQ(start_mode_of("pingpong", StartMode::barrier), StartMode::barrier);
}

} // namespace
} // namespace alltold

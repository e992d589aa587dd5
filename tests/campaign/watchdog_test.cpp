// SPDX-License-Identifier: BSD-3-Clause
// A rank that receives nothing says so once, and ends.
#include "campaign/engine/watchdog.hpp"

#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace alltold::campaign {
namespace {

using namespace std::chrono_literals;

std::string said(int rank, const std::string& what) {
    testing::internal::CaptureStderr();
    {
        Watchdog watchdog(rank, 300s, 100ms);
        watchdog.begin(what);
        std::this_thread::sleep_for(1500ms); // it looks once a second
    }
    return testing::internal::GetCapturedStderr();
}

TEST(Watchdog, says_once_at_what_nothing_came) {
    EXPECT_EQ(said(0, "bcast on 8"),
              "alltold: nothing came from the other ranks for 0 s, at bcast on 8; ranks stop after "
              "300 s\n");
}

TEST(Watchdog, says_nothing_where_rank_0_waits_for_none_or_peers_answer) {
    EXPECT_EQ(said(0, ""), "");
    EXPECT_EQ(said(3, "bcast on 8"), "");
}

TEST(WatchdogDeath, ends_a_rank_that_receives_nothing) {
    EXPECT_EXIT(
        {
            const Watchdog watchdog(3, 1s, 10s);
            std::this_thread::sleep_for(60s);
        },
        testing::ExitedWithCode(3), "rank 3 received nothing from the other ranks for 1 s");
}

} // namespace
} // namespace alltold::campaign

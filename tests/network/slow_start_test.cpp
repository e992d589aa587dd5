// SPDX-License-Identifier: BSD-3-Clause
// Slow start by hand.
#include <gtest/gtest.h>

#include "network/links/timeouts.hpp"

namespace alltold {
namespace {

TEST(SlowStart, IdlesUntilTheWindowCoversTheRoundTrip) {
    // 100 bytes per second, 22 s there and back; windows of 100, 200, ... take 1, 2, ... seconds.
    LinkNetwork links{{100, 1, 0}, Link{200, 10, 0}};
    EXPECT_EQ(slow_start_s(links, 1e6, 100), 0) << "no window, no wait";
    links.initial_window_bytes = 100;
    EXPECT_EQ(slow_start_s(links, 100, 100), 0);
    EXPECT_DOUBLE_EQ(slow_start_s(links, 250, 100), 21);
    EXPECT_DOUBLE_EQ(slow_start_s(links, 301, 100), 21 + 20);
    EXPECT_DOUBLE_EQ(slow_start_s(links, 1e6, 100), 21 + 20 + 18 + 14 + 6);
    EXPECT_EQ(slow_start_s(links, 1e6, 4), 0) << "88 bytes in a round trip";
    links.backbone.reset();
    EXPECT_EQ(slow_start_s(links, 1e6, 100), 0);
}

TEST(SlowStart, LossesLeaveEachConnectionItsShareOfTheQueue) {
    // 60 kB in the queue and 40 kB on the way, of which seven tenths are kept.
    LinkNetwork links{{1e6, 10e-3, 60e3}, Link{2e6, 10e-3, 0}};
    EXPECT_DOUBLE_EQ(window_after_losses_bytes(links, 1), 70e3);
    EXPECT_DOUBLE_EQ(window_after_losses_bytes(links, 7), 10e3);
    EXPECT_DOUBLE_EQ(window_after_losses_bytes(links, 1000), 2 * 1448);
    links.mss_bytes = 8948;
    EXPECT_DOUBLE_EQ(window_after_losses_bytes(links, 1000), 2 * 8948);
    EXPECT_EQ(window_after_losses_bytes(links, 0), 0);
    links.port.queue_bytes = 0;
    EXPECT_EQ(window_after_losses_bytes(links, 7), 0) << "no known buffer";
}

} // namespace
} // namespace alltold

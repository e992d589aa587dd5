// SPDX-License-Identifier: BSD-3-Clause
// The host's count of retransmitted segments, and who reads it.
#include "campaign/engine/retransmissions.hpp"

#include <gtest/gtest.h>

namespace alltold::campaign {
namespace {

TEST(Retransmissions, AreTheColumnOfThatName) {
    EXPECT_EQ(retransmitted_in("Ip: Forwarding RetransSegs\nIp: 1 99\n"
                               "Tcp: RtoMin MaxConn InSegs OutSegs RetransSegs InErrs\n"
                               "Tcp: 200 -1 5 6 7 8\nUdp: InDatagrams\nUdp: 4\n"),
              7U);
    EXPECT_EQ(retransmitted_in("Tcp: RetransSegs\nTcp: 18446744073709551615\n"), UINT64_MAX);
}

TEST(Retransmissions, AreNotKnownWithoutIt) {
    for (const auto* text :
         {"", "Tcp:", "Tcp: InSegs\nTcp: 4\n", "Tcp: InSegs RetransSegs\nTcp: 4\n",
          "Tcp: RetransSegs\nTcp: -1\n", "Tcp: RetransSegs\nTcp: 4x\n", "Tcp: RetransSegs",
          "Udp: RetransSegs\nUdp: 4\n"})
        EXPECT_FALSE(retransmitted_in(text)) << text;
}

TEST(Retransmissions, AreCountedByThisSystem) {
    const RetransmissionCounter counter;
    const auto before = counter.read(), after = counter.read();
    ASSERT_TRUE(before && after) << "/proc/self/net/snmp has none";
    EXPECT_GE(*after, *before) << "reads the file anew";
}

} // namespace
} // namespace alltold::campaign

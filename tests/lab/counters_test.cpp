// SPDX-License-Identifier: BSD-3-Clause
// The lab's counters tell the truth: drops, bytes, messages, and packets no longer than the wire's.
#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "lab/lab.hpp"
#include "run.hpp"

namespace alltold::lab_tests {
namespace {

using nlohmann::json;

TEST(Counters, DropsOnlyWhereABufferOverflows) {
    NEEDS_LAB();
    const auto calm =
        run_lab("--clusters 3 --counters --json -- sh -c '" + transfer("a1", "a3", 2) + "wait'");
    const auto flooded =
        run_lab("--clusters 3 --counters --json -- sh -c '(" + transfer("a1", "a3", 8) + ") & (" +
                transfer("a2", "a3", 8, "5002") + ") & wait'");
    ASSERT_EQ(calm.status, 0) << calm.out;
    ASSERT_EQ(flooded.status, 0) << flooded.out;
    const auto before = last_json(calm.out)["ports"], after = last_json(flooded.out)["ports"];
    EXPECT_EQ(before["a3"]["drops"], 0);
    EXPECT_GT(before["a3"]["bytes"], 2'000'000);
    EXPECT_LT(before["a3"]["bytes"], 2'000'000 * 1514. / 1448 * 1.01);
    EXPECT_GT(after["a3"]["drops"], 0);
    EXPECT_EQ(after["a1"]["drops"], 0);
}

TEST(Counters, CountersInsideSeeTheBackbone) {
    NEEDS_LAB();
    const auto ran = run_lab("--clusters 1+1+1 -- sh -c '" + transfer("a1", "c1", 1) +
                             "wait; " ALLTOLD_BINARY " lab counters --json'");
    ASSERT_EQ(ran.status, 0) << ran.out;
    const auto backbone = last_json(ran.out)["backbone"];
    for (const auto& port : {backbone["a"]["up"], backbone["c"]["down"]}) {
        EXPECT_GE(port["payload_bytes"], 1'000'000);
        EXPECT_LT(port["payload_bytes"], 2'000'000) << "more than a few packets sent twice";
    }
    EXPECT_EQ(backbone["b"]["up"]["packets"], 0);
    EXPECT_GE(backbone["a"]["up"]["messages"], 1);
    EXPECT_EQ(run_shell(ALLTOLD_BINARY " lab counters").status, 3) << "outside there are none";
}

/// Messages that set out from a1 and from b1, and what the uplink of a1 dropped.
struct Exchanged {
    int there, back, drops;
};

/// Sends `count` messages of `bytes` from a1 to b1, each answered by one as long.
Exchanged exchange(const std::string& options, int count, int bytes) {
    const std::string words = std::to_string(count) + " " + std::to_string(bytes);
    const auto ran = run_lab("--clusters 1+1 " + options +
                             " --counters --json -- sh -c 'ssh b1 " LAB_PROBE " echo 5001 " +
                             words + " & ssh a1 " LAB_PROBE " ask b1 5001 " + words + "; wait'");
    EXPECT_EQ(ran.status, 0) << ran.out;
    const auto backbone = last_json(ran.out)["backbone"];
    EXPECT_EQ(backbone["a"]["up"]["messages"], backbone["b"]["down"]["messages"]);
    return {backbone["a"]["up"]["messages"], backbone["b"]["up"]["messages"],
            backbone["a"]["up"]["drops"]};
}

TEST(Counters, MessagesAreExactForPingPong) {
    NEEDS_LAB();
    for (const int bytes : {1, 1448, 20'000}) {
        const auto got = exchange("--wan 200Mbit,1ms,1MiB", 40, bytes);
        EXPECT_EQ(got.there, 40) << bytes;
        EXPECT_EQ(got.back, 40) << bytes;
    }
}

TEST(Counters, RetransmissionIsNoNewMessage) {
    NEEDS_LAB();
    const auto got = exchange("--wan 10Mbit,1ms,6KiB", 15, 20'000);
    EXPECT_GT(got.drops, 0) << "nothing was lost, so nothing is shown";
    EXPECT_EQ(got.there, 15);
    EXPECT_EQ(got.back, 15);
}

TEST(Counters, NoPacketIsLongerThanTheWires) {
    NEEDS_LAB();
    const test::Scratch folder;
    const std::string a2_ready = folder / "a2", b1_ready = folder / "b1";
    const auto ran = run_lab("--clusters 2+1 --nic 200Mbit --counters --json -- sh -c '"
                             "ssh a2 " LAB_PROBE " longest-frame eth0 4000000 " +
                             a2_ready + " & ssh b1 " LAB_PROBE " longest-frame eth0 4000000 " +
                             b1_ready + " & until [ -e " + a2_ready + " ] && [ -e " + b1_ready +
                             " ]; do sleep 0.01; done; " + transfer("a1", "a2", 5) +
                             transfer("a1", "b1", 5, "5002") + "wait'");
    ASSERT_EQ(ran.status, 0) << ran.out;
    std::size_t found = 0;
    for (std::size_t at = 0; (at = ran.out.find("longest 1514\n", at)) != std::string::npos; ++at)
        ++found;
    EXPECT_EQ(found, 2U) << "super-packets reach a host's port: " << ran.out;
    const auto port = last_json(ran.out)["ports"]["a2"];
    const double mean = port["bytes"].get<double>() / port["packets"].get<double>();
    EXPECT_LE(mean, 1514);
    EXPECT_GT(mean, 1450);
}

} // namespace
} // namespace alltold::lab_tests

// SPDX-License-Identifier: BSD-3-Clause
// The lab's arithmetic: options, names, the backbone's queue, the watch, messages in TCP streams.
#include <algorithm>
#include <cmath>
#include <memory>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "lab/frames.hpp"
#include "lab/launchers.hpp"
#include "lab/options.hpp"
#include "lab/switch.hpp"
#include "lab/watch.hpp"

namespace alltold::lab {
namespace {

TEST(Options, WanIsRateDelayQueue) {
    const auto wan = Wan::parse("100Mbit,10ms,256KiB");
    ASSERT_TRUE(wan);
    EXPECT_EQ(wan->bit_per_s, 100e6);
    EXPECT_EQ(wan->delay_s, 10e-3);
    EXPECT_EQ(wan->queue_bytes, 256U * 1024U);
    for (const auto* bad : {"", "100Mbit", "100Mbit,5ms", "5ms,100Mbit,1KiB", "1Mbit,1ms,1KiB,9"})
        EXPECT_FALSE(Wan::parse(bad)) << bad;
}

TEST(Options, ClustersMayHaveRates) {
    LabOptions options;
    ASSERT_TRUE(options.parse_clusters("6@50Mbit+4x2+2x4/1x3@20Mbit"));
    EXPECT_EQ(options.clusters.text(), "6+4x2+2x4/1x3");
    options.nic_bit_per_s = 30e6;
    EXPECT_EQ(options.nic_of(0), 50e6);
    EXPECT_EQ(options.nic_of(1), 30e6);
    EXPECT_EQ(options.nic_of(2), 20e6);
    EXPECT_FALSE(options.equal_nics());
    EXPECT_EQ(nic_text(options), "a: 50 Mbit/s, b: 30 Mbit/s, c: 20 Mbit/s");
    ASSERT_TRUE(options.parse_clusters("6@30Mbit+6"));
    EXPECT_TRUE(options.equal_nics());
    for (const auto* bad : {"6@", "6@fast", "@50Mbit", "6+0@50Mbit", "6@50Mbit@20Mbit"})
        EXPECT_FALSE(options.parse_clusters(bad)) << bad;
    ASSERT_TRUE(options.parse_clusters("6@50Mbit+6@20kbit"));
    EXPECT_EQ(check(options).error().message,
              "--clusters: rate 20 kbit/s: must be between 64kbit and 10Gbit");
}

TEST(Options, PairsOfClustersMayHaveLinks) {
    const auto own = parse_pair_wan("c-a=20Mbit,10ms,64KiB");
    ASSERT_TRUE(own) << own.error().message;
    EXPECT_EQ(own->first, ClusterPair(0, 2));
    EXPECT_EQ(own->second, (Wan{20e6, 10e-3, 64 * 1024}));
    for (const auto& [bad, why] : {std::pair{"1-2=20Mbit,10ms,64KiB", "'1' is no cluster"},
                                   std::pair{"a=20Mbit,10ms,64KiB", "'a' is no pair"},
                                   std::pair{"a-a=20Mbit,10ms,64KiB", "no backbone to itself"},
                                   std::pair{"a-b=fast,10ms,64KiB", "'fast' is not a rate"},
                                   std::pair{"a-b=20Mbit,10ms", "write RATE,DELAY,QUEUE"}}) {
        const auto refused = parse_pair_wan(bad);
        ASSERT_FALSE(refused) << bad;
        EXPECT_NE(refused.error().message.find(why), std::string::npos) << refused.error().message;
    }
    LabOptions options;
    ASSERT_TRUE(options.parse_clusters("2+2"));
    options.pair_wans.insert(*own);
    EXPECT_EQ(check(options).error().message, "--wan a-c: --clusters 2+2 has no cluster c");
}

TEST(Options, TruthSaysWhatDiffers) {
    LabOptions options;
    options.tcp = "cubic";
    ASSERT_TRUE(options.parse_clusters("6@50Mbit+4x2@20Mbit"));
    options.pair_wans.emplace(ClusterPair(0, 1), Wan{10e6, 2e-3, 64 * 1024});
    const auto made = truth(options);
    EXPECT_EQ(made["clusters"], "6+4x2");
    EXPECT_EQ(made["nic"]["rate_bit_per_s"], 20e6);
    EXPECT_EQ(made["nic"]["of_clusters"][0]["rate_bit_per_s"], 50e6);
    EXPECT_EQ(made["wan"]["rate_bit_per_s"], 200e6);
    EXPECT_EQ(made["wan"]["of_pairs"][0]["clusters"], nlohmann::json({0, 1}));
    EXPECT_EQ(made["wan"]["of_pairs"][0]["rate_bit_per_s"], 10e6);
    EXPECT_EQ(options_text(made), "--clusters 6@50Mbit+4x2@20Mbit --nic 20Mbit --buffer 64KiB "
                                  "--wan 200Mbit,5ms,512KiB --wan a-b=10Mbit,2ms,64KiB");
    options.cluster_bit_per_s.clear();
    options.pair_wans.clear();
    const auto equal = truth(options);
    EXPECT_FALSE(equal["nic"].contains("of_clusters"));
    EXPECT_FALSE(equal["wan"].contains("of_pairs"));
}

TEST(Options, NamesFollowClusters) {
    const Clusters clusters({2, 3});
    EXPECT_EQ(host_name(clusters, 0), "a1");
    EXPECT_EQ(host_name(clusters, 4), "b3");
    EXPECT_EQ(data_address(clusters, 4), "198.18.1.3");
    EXPECT_EQ(cluster_name(26), "aa");
}

TEST(Options, BadOnesAreNamed) {
    LabOptions options;
    options.clusters = Clusters({251});
    EXPECT_NE(check(options).error().message.find("--clusters"), std::string::npos);
    options.clusters = Clusters({2});
    options.buffer_bytes = 3027;
    EXPECT_NE(check(options).error().message.find("--buffer"), std::string::npos);
    options.buffer_bytes = 3028;
    EXPECT_TRUE(check(options));
}

TEST(Launchers, TooManyRanksAreRefusedWithWhatWouldBeRight) {
    const Clusters three({3});
    const auto objection = launch_objection({"/usr/bin/mpirun", "-n", "6", "hostname"}, three);
    EXPECT_NE(objection.find("3 hosts"), std::string::npos) << objection;
    EXPECT_NE(objection.find("--clusters 6"), std::string::npos) << objection;
    EXPECT_NE(objection.find("--oversubscribe"), std::string::npos) << objection;
    EXPECT_NE(launch_objection({"mpirun", "--quiet", "-np", "4", "hostname"}, three), "");
    for (const std::vector<std::string>& fine :
         {std::vector<std::string>{},
          {"mpirun", "-n", "3", "hostname"},
          {"mpirun", "--oversubscribe", "-n", "6", "hostname"},
          {"mpirun", "-x", "A=1", "-n", "2", "program", "-n", "6"},
          {"mpirun", "program", "-n", "6"},
          {"mpiexec.mpich", "-n", "6", "hostname"},
          {"sh", "-c", "mpirun -n 6 hostname"},
          {"mpirun", "-n"}})
        EXPECT_EQ(launch_objection(fine, three), "");
}

TEST(Launchers, LocalRanksMayBeMoreThanProcessorsUnderEitherOpenMpi) {
    const auto local = local_launch_environment();
    EXPECT_EQ(local.at("OMPI_MCA_rmaps_base_oversubscribe"), "1");
    EXPECT_EQ(local.at("PRTE_MCA_rmaps_default_mapping_policy"), ":oversubscribe");
}

TEST(LinkQueue, NeverBeatsItsRateAndNeverFallsBehind) {
    EXPECT_TRUE(rc::check("a busy link is never idle", [] {
        const auto gaps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 200'000));
        LinkQueue link(100e6, 1 << 30);
        constexpr double own_ns = 1514 * 8 * 10;
        double now = 0, free = 0;
        for (const int gap : gaps) {
            now += gap;
            free = std::max(free, now) + own_ns;
            RC_ASSERT(std::abs(link.offer(now, 1514) - free) < 1);
        }
    }));
}

TEST(LinkQueue, DropsWhatDoesNotFit) {
    LinkQueue link(100e6, 10 * 1514);
    for (int i = 0; i < 10; ++i)
        EXPECT_GT(link.offer(0, 1514), 0) << i;
    EXPECT_LT(link.offer(0, 1514), 0);
    EXPECT_GT(link.offer(1514 * 80 + 1, 1514), 0) << "one has left by then";
}

TEST(LinkQueue, PassesBitsOnWhenIdle) {
    LinkQueue link(100e6, 1 << 20);
    EXPECT_DOUBLE_EQ(link.offer_passing(5e6, 1514), 5e6);
    EXPECT_DOUBLE_EQ(link.offer_passing(5e6, 1514), 5e6 + 1514 * 80) << "the second waits";
}

TEST(Watch, WarnsOfLateSleepersOnceItHasSeenEnough) {
    const auto bottleneck = [](int sleeps, double timer_s, int packets, double relay_s) {
        const auto shared = std::make_unique<Shared>();
        for (int i = 0; i < sleeps; ++i)
            shared->timer.add(timer_s * 1e9);
        for (int i = 0; i < packets; ++i)
            shared->relay.add(relay_s * 1e9);
        const auto report = Watch(0).report(*shared);
        EXPECT_EQ(processor_warning(report).empty(), !report["bottleneck"].get<bool>());
        return report["bottleneck"].get<bool>();
    };
    EXPECT_TRUE(bottleneck(300, 2e-3, 0, 0));
    EXPECT_FALSE(bottleneck(100, 2e-3, 0, 0)) << "the start of a program proves nothing";
    EXPECT_TRUE(bottleneck(100, 1e-4, 300, 1e-3));
    EXPECT_FALSE(bottleneck(100, 1e-4, 300, 1e-4));
    EXPECT_FALSE(bottleneck(100, 1e-4, 10, 1e-3));
}

TEST(Watch, WarnsOfPacketsThatTheRelayMissed) {
    const auto shared = std::make_unique<Shared>();
    EXPECT_FALSE(watch_report(*shared, {}, {})["bottleneck"]);
    shared->missed = 1;
    EXPECT_TRUE(watch_report(*shared, {}, {})["bottleneck"]);
}

TEST(Watch, SharesAreOfTheTimeBetweenTwoReadings) {
    const std::string relay = "7 (lab-relay) S 1 2 3 4 5 6 7 8 9 10 ";
    const auto start =
        parse_ticks("cpu  100 0 100 700 0 0 50 50 0 0\ncpu0 1 2 3\n", relay + "20 30 9 9");
    EXPECT_DOUBLE_EQ(start.all, 1000);
    EXPECT_DOUBLE_EQ(start.relay, 50);
    const auto report_at = [&](const char* line, int sleeps, const char* relay_ticks = "20 30") {
        const auto shared = std::make_unique<Shared>();
        for (int i = 0; i < sleeps; ++i)
            shared->timer.add(0);
        return watch_report(*shared, start, parse_ticks(line, relay + relay_ticks));
    };
    const auto calm = report_at("cpu  200 0 200 1300 0 0 150 150 0 0\n", 300);
    EXPECT_DOUBLE_EQ(calm["softirq_share"], 0.1);
    EXPECT_DOUBLE_EQ(calm["steal_share"], 0.1);
    EXPECT_FALSE(calm["bottleneck"]);
    EXPECT_TRUE(report_at("cpu  200 0 200 900 0 0 650 150 0 0\n", 300)["bottleneck"]);
    // The relay's time counts as the kernel's: half of 1000 ticks is too much.
    const auto forwarding = report_at("cpu  200 0 200 1300 0 0 150 150 0 0\n", 300, "120 380");
    EXPECT_DOUBLE_EQ(forwarding["relay_share"], 0.45);
    EXPECT_TRUE(forwarding["bottleneck"]);
    EXPECT_FALSE(report_at("cpu  200 0 200 1300 0 0 150 150 0 0\n", 300, "100 340")["bottleneck"]);
    EXPECT_TRUE(report_at("cpu  200 0 200 1200 0 0 150 250 0 0\n", 300)["bottleneck"]);
    EXPECT_FALSE(report_at("cpu  200 0 200 1200 0 0 150 250 0 0\n", 100)["bottleneck"])
        << "too short to tell";
}

/// An IPv4 TCP packet without options from port 1 to port 2.
std::vector<unsigned char> packet(std::uint32_t sequence, int payload, unsigned char flags) {
    std::vector<unsigned char> bytes(40 + static_cast<std::size_t>(payload));
    bytes[0] = 0x45;
    bytes[2] = static_cast<unsigned char>(bytes.size() >> 8);
    bytes[3] = static_cast<unsigned char>(bytes.size());
    bytes[9] = 6;
    bytes[21] = 1;
    bytes[23] = 2;
    for (int i = 0; i < 4; ++i)
        bytes[24U + static_cast<unsigned>(i)] =
            static_cast<unsigned char>(sequence >> (24 - 8 * i));
    bytes[32] = 5 << 4;
    bytes[33] = flags;
    return bytes;
}

TEST(TcpMessages, CountsPushesOnce) {
    constexpr unsigned char syn = 2, psh = 8, ack = 16;
    TcpMessages messages;
    // Sequence numbers wrap in the middle of the stream.
    EXPECT_FALSE(messages.see(packet(0xffffff00, 0, syn)).ends_message);
    EXPECT_FALSE(messages.see(packet(0xffffff01, 500, ack)).ends_message);
    EXPECT_TRUE(messages.see(packet(0xf5, 100, ack | psh)).ends_message);
    EXPECT_FALSE(messages.see(packet(0xf5, 100, ack | psh)).ends_message) << "sent again";
    EXPECT_FALSE(messages.see(packet(0x159, 0, ack | psh)).ends_message) << "empty";
    EXPECT_EQ(messages.see(packet(0x159, 30, ack | psh)).payload_bytes, 30);
    const std::vector<unsigned char> junk(25, 0x45);
    EXPECT_EQ(messages.see(junk).payload_bytes, 0);
}

} // namespace
} // namespace alltold::lab

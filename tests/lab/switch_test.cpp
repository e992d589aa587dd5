// SPDX-License-Identifier: BSD-3-Clause
// The lab's switches keep every packet for as long as its links take, and no longer.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "lab/frames.hpp"
#include "lab/switch.hpp"

namespace alltold::lab {
namespace {

/// Times in ns, in a lab with links of 10 ns per byte (800 Mbit).
class Bench {
  public:
    explicit Bench(const std::string& clusters, std::uint64_t buffer_bytes = 1 << 30,
                   const Wan& wan = {}, const std::map<ClusterPair, Wan>& pair_wans = {}) {
        if (const auto parsed = options_.parse_clusters(clusters); !parsed)
            throw std::invalid_argument(parsed.error().message);
        options_.pair_wans = pair_wans;
        options_.nic_bit_per_s = 800e6;
        options_.buffer_bytes = buffer_bytes;
        options_.wan = wan;
        switch_.emplace(options_, *shared_, pool_);
    }

    Packet* accept(double at_ns, int from, int to, int bytes) {
        Packet* packet = pool_.take();
        packet->from = from;
        packet->to = to;
        packet->bytes = bytes;
        packet->payload_bytes = 0;
        switch_->accept(at_ns, packet);
        return packet;
    }
    /// When each packet leaves, in order.
    std::vector<double> left(double until_ns = INFINITY) {
        std::vector<double> times;
        while (const Packet* packet = switch_->next(until_ns))
            times.push_back(packet->due_ns);
        return times;
    }
    const Shared& shared() const { return *shared_; }
    Switch& forwarding() { return *switch_; }

  private:
    LabOptions options_;
    std::unique_ptr<Shared> shared_ = std::make_unique<Shared>();
    PacketPool pool_;
    std::optional<Switch> switch_;
};

TEST(Switch, RanksOfAHostShareItsPort) {
    // Hosts 0 and 1 are of one cluster, 2 of the other, whatever ranks they have.
    for (const auto* clusters : {"2+1", "2x3+1x2", "1x2/1+1x4"}) {
        Wan wan;
        wan.bit_per_s = 800e6;
        wan.delay_s = 1e-3;
        Bench bench(clusters, 1 << 30, wan);
        bench.accept(0, 0, 1, 1000);
        bench.accept(0, 1, 2, 1000);
        EXPECT_EQ(bench.left(), (std::vector<double>{20'000, 1'030'000})) << clusters;
        EXPECT_EQ(bench.shared().ports[1].packets, 1U) << clusters;
        EXPECT_EQ(bench.shared().up[0].packets, 1U) << clusters;
        EXPECT_EQ(bench.shared().down[1].packets, 1U) << clusters;
    }
}

TEST(Switch, TrainTakesOneSerialisationMoreThanItHasPackets) {
    for (const int packets : {1, 2, 3, 10})
        for (const int bytes : {60, 1514}) {
            Bench bench("2");
            for (int i = 0; i < packets; ++i)
                bench.accept(1000, 0, 1, bytes);
            const auto left = bench.left();
            ASSERT_EQ(left.size(), static_cast<std::size_t>(packets));
            EXPECT_NEAR(left.front(), 1000 + 2 * bytes * 10., 1e-3);
            EXPECT_NEAR(left.back(), 1000 + (packets + 1) * bytes * 10., 1e-3);
        }
}

TEST(Switch, BackboneAddsItsUplinkAndDelay) {
    Bench bench("1+1", 1 << 30, {400e6, 1e-3, 1 << 20});
    for (int i = 0; i < 3; ++i)
        bench.accept(0, 0, 1, 1000);
    const auto left = bench.left();
    // The uplink is the slowest: 20 us for each packet after the first.
    const double first = 10'000 + 20'000 + 1e6 + 10'000;
    ASSERT_EQ(left.size(), 3U);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(left[static_cast<std::size_t>(i)], first + i * 20'000, 1e-3);
    EXPECT_EQ(bench.shared().up[0].packets, 3U);
    EXPECT_EQ(bench.shared().down[1].bytes, 3000U);
    EXPECT_EQ(bench.shared().ports[1].packets, 3U);
    EXPECT_EQ(bench.shared().ports[0].packets, 0U);
}

TEST(Switch, HostsOfAClusterHaveItsRate) {
    Bench bench("2+2@200Mbit", 1 << 30, {800e6, 1e-3, 1 << 20});
    bench.accept(0, 0, 1, 1000); // 10 us on either link
    bench.accept(0, 2, 3, 1000); // 40 us
    EXPECT_EQ(bench.left(), (std::vector<double>{20'000, 80'000}));
    bench.accept(1e6, 1, 2, 1000);
    EXPECT_EQ(bench.left(), (std::vector<double>{1e6 + 10'000 + 10'000 + 1e6 + 40'000}));
}

TEST(Switch, PairsOfClustersHaveLinksOfTheirOwn) {
    Bench bench("1+1+1", 1 << 30, {400e6, 1e-3, 1 << 20}, {{{0, 2}, {80e6, 3e-3, 2000}}});
    bench.accept(0, 0, 1, 1000); // by the star
    for (int i = 0; i < 3; ++i)
        bench.accept(1e6, 2, 0, 1000); // two fit into the queue
    EXPECT_EQ(bench.left(), (std::vector<double>{10'000 + 20'000 + 1e6 + 10'000,
                                                 1'010'000 + 100'000 + 3e6 + 10'000,
                                                 1'010'000 + 200'000 + 3e6 + 10'000}));
    EXPECT_EQ(bench.shared().up[2].packets, 2U);
    EXPECT_EQ(bench.shared().up[2].drops, 1U);
    EXPECT_EQ(bench.shared().down[0].packets, 2U);
}

TEST(Switch, NothingLeavesBeforeItsTime) {
    Bench bench("2");
    bench.accept(0, 0, 1, 1000);
    EXPECT_EQ(bench.forwarding().next_ns(), 10'000) << "at the switch";
    EXPECT_TRUE(bench.left(19'999).empty());
    EXPECT_EQ(bench.forwarding().next_ns(), 20'000);
    EXPECT_EQ(bench.left(20'000).size(), 1U);
    EXPECT_TRUE(std::isinf(bench.forwarding().next_ns()));
}

TEST(Switch, PortServesHostsInOrderOfArrivalAndDropsWhatDoesNotFit) {
    Bench bench("4", 3000);
    // The small packet is passed on later but arrives first.
    Packet* large = bench.accept(0, 0, 3, 1500);
    Packet* small = bench.accept(100, 1, 3, 100);
    EXPECT_EQ(bench.forwarding().next(INFINITY), small);
    EXPECT_EQ(bench.forwarding().next(INFINITY), large);
    for (int from = 0; from < 3; ++from)
        bench.accept(1e6, from, 3, 1500);
    EXPECT_EQ(bench.left().size(), 2U);
    EXPECT_EQ(bench.shared().ports[3].drops, 1U);
    EXPECT_EQ(bench.shared().ports[3].packets, 4U);
    EXPECT_EQ(bench.shared().ports[3].bytes, 4600U);
}

TEST(Switch, NoPortIsFasterThanItsRateHoweverLateTheCallerIs) {
    EXPECT_TRUE(rc::check("computed times depend on arrivals alone", [] {
        struct Sent {
            int gap, from, to, bytes;
        };
        const auto sent = *rc::gen::container<std::vector<Sent>>(rc::gen::build<Sent>(
            rc::gen::set(&Sent::gap, rc::gen::inRange(0, 30'000)),
            rc::gen::set(&Sent::from, rc::gen::inRange(0, 4)),
            rc::gen::set(&Sent::to, rc::gen::inRange(0, 4)),
            rc::gen::set(&Sent::bytes, rc::gen::inRange(42, frame_bytes + 1))));
        const std::string clusters = *rc::gen::element<std::string>("4", "2+2");
        Bench prompt(clusters), late(clusters);
        std::map<const Packet*, double> earliest;
        std::map<int, double> port_free;
        std::vector<double> prompt_times;
        double now = 0;
        const auto take = [&](double until) {
            while (const Packet* packet = prompt.forwarding().next(until)) {
                prompt_times.push_back(packet->due_ns);
                const double own_ns = packet->bytes * 10.;
                RC_ASSERT(packet->due_ns > earliest[packet] - 1e-3);
                RC_ASSERT(packet->due_ns > port_free[packet->to] + own_ns - 1e-3);
                port_free[packet->to] = packet->due_ns;
            }
        };
        for (const auto& one : sent) {
            now += one.gap;
            take(now);
            earliest[prompt.accept(now, one.from, one.to, one.bytes)] = now + 2 * one.bytes * 10.;
            late.accept(now, one.from, one.to, one.bytes);
        }
        take(INFINITY);
        RC_ASSERT(prompt_times.size() == sent.size());
        RC_ASSERT(late.left() == prompt_times);
    }));
}

/// An IPv4 frame with this destination.
std::vector<unsigned char> frame_to(std::array<unsigned char, 4> address) {
    std::vector<unsigned char> frame(60);
    frame[12] = 8;
    std::copy(address.begin(), address.end(), frame.begin() + 30);
    return frame;
}

TEST(Frames, GoToTheHostOfTheirAddress) {
    const Clusters clusters({2, 3});
    EXPECT_EQ(target_of(frame_to({198, 18, 0, 2}), clusters), 1);
    EXPECT_EQ(target_of(frame_to({198, 18, 1, 3}), clusters), 4);
    for (const auto nobody : {std::array<unsigned char, 4>{198, 18, 0, 3},
                              {198, 18, 2, 1},
                              {198, 18, 1, 0},
                              {198, 18, 1, 254},
                              {10, 0, 0, 1}})
        EXPECT_EQ(target_of(frame_to(nobody), clusters), -1);
    auto arp = frame_to({198, 18, 0, 2});
    arp[13] = 6;
    EXPECT_EQ(target_of(arp, clusters), -1);
    EXPECT_EQ(target_of(std::vector<unsigned char>(33, 8), clusters), -1) << "too short";
}

TEST(Frames, AreAddressedFromTheGatewayToTheTarget) {
    const Clusters clusters({2, 3});
    auto frame = frame_to({198, 18, 1, 3});
    const auto rest = std::vector(frame.begin() + 12, frame.end());
    readdress(frame, clusters, 4);
    const std::vector<unsigned char> addresses{2, 0x18, 0, 0, 1, 3, 2, 0x18, 0, 0, 1, 254};
    EXPECT_EQ(std::vector(frame.begin(), frame.begin() + 12), addresses);
    EXPECT_EQ(std::vector(frame.begin() + 12, frame.end()), rest);
}

} // namespace
} // namespace alltold::lab

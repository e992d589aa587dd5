// SPDX-License-Identifier: BSD-3-Clause
// Rate and queue of a bottleneck come back from simulated floods with noise.
#include "network/links/flood_reading.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/random.hpp"

namespace alltold {
namespace {

/// Senders that emit `offered` packets a second together, each `packets`, a drop-tail queue, and
/// receivers of one or of all.
struct SimulatedFlood {
    int senders = 3;
    double offered = 3000, served = 1000, queue_packets = 40, delay_s = 0.01;
    int packets = 200;
    double jitter_s = 0;
    double lost_share = 0;
    bool one_receiver = true;
    /// The first sender ends earlier than the others by that many packets.
    int uneven = 0;
    /// The last sender is so much farther away; half of its packets are lost there, others wait.
    double far_s = 0;

    FloodReading reading(std::uint64_t seed) const {
        Random random(seed);
        const double pace_s = senders / offered;
        std::vector<FloodSender> ends;
        struct Packet {
            double at_s;
            std::size_t sender;
            std::uint64_t number;
        };
        std::vector<Packet> emitted;
        for (int s = 0; s < senders; ++s) {
            const int count = packets - (s == 0 ? uneven : 0);
            const double start_s = 5 + pace_s * random.uniform();
            ends.push_back({static_cast<double>(count), start_s, start_s + (count - 1) * pace_s});
            for (int i = 0; i < count; ++i)
                emitted.push_back({start_s + i * pace_s, static_cast<std::size_t>(s),
                                   static_cast<std::uint64_t>(i)});
        }
        std::ranges::sort(emitted, {}, &Packet::at_s);
        std::vector<std::vector<FloodArrival>> arrivals(
            one_receiver ? 1 : static_cast<std::size_t>(senders));
        double free_s = 0;
        const auto last = static_cast<std::size_t>(senders - 1);
        for (const auto& packet : emitted) {
            const bool far = far_s > 0 && packet.sender == last;
            if (far && random.uniform() < 0.5)
                continue;
            const double start_s = std::max(free_s, packet.at_s);
            if (start_s - packet.at_s > (queue_packets - 1) / served)
                continue;
            free_s = start_s + 1 / served;
            if (random.uniform() >= lost_share)
                arrivals[one_receiver ? 0 : packet.sender].push_back(
                    {packet.sender, packet.number,
                     free_s + delay_s + jitter_s * std::abs(random.normal()) +
                         (far ? far_s * (1 + 3 * random.uniform()) : 0)});
        }
        std::vector<FloodReceipt> receipts;
        for (auto& one : arrivals) {
            std::ranges::stable_sort(one, {}, &FloodArrival::time_s);
            receipts.push_back(read_arrivals(one, ends, far_s > 0 ? last : ends.size()));
        }
        return read_flood(receipts);
    }
};

} // namespace

TEST(FloodReading, RateAndQueueComeBack) {
    EXPECT_TRUE(rc::check("ports and paths", [] {
        SimulatedFlood flood;
        flood.senders = *rc::gen::inRange(2, 7);
        flood.one_receiver = *rc::gen::arbitrary<bool>();
        flood.served = *rc::gen::inRange(400, 20000);
        flood.offered = flood.served * *rc::gen::inRange(12, 40) / 10.;
        flood.queue_packets = *rc::gen::inRange(12, 300);
        flood.delay_s = *rc::gen::inRange(0, 40) * 1e-3;
        // Long enough to overflow, and half as long again, as the probe makes them.
        const double until_full = flood.queue_packets / (1 - flood.served / flood.offered);
        flood.packets = static_cast<int>(1.5 * until_full / flood.senders) + 60;
        flood.jitter_s = 0.3 / flood.served;
        flood.uneven = *rc::gen::inRange(0, 20);
        const auto reading = flood.reading(*rc::gen::inRange<std::uint64_t>(1, 1000));
        RC_ASSERT(std::abs(reading.packets_per_s / flood.served - 1) < 0.05);
        RC_ASSERT(std::abs(reading.queue_packets - flood.queue_packets) <
                  3 + 0.15 * flood.queue_packets);
    }));
}

TEST(FloodReading, AQueueThatDoesNotOverflowIsNotKnown) {
    SimulatedFlood flood;
    flood.served = 1.2 * flood.offered;
    EXPECT_EQ(flood.reading(1).queue_packets, 0);
    EXPECT_NEAR(flood.reading(1).packets_per_s, flood.offered, 0.02 * flood.offered);
    flood.lost_share = 0.01;
    EXPECT_EQ(flood.reading(1).queue_packets, 0) << "a packet in a hundred is lost elsewhere";
}

TEST(FloodReading, AFarSenderHelpsToFillTheQueueButTellsNothing) {
    SimulatedFlood flood;
    flood.senders = 2;
    flood.offered = 2 * flood.served;
    flood.far_s = 0.02;
    flood.packets = 400;
    EXPECT_NEAR(flood.reading(1).packets_per_s, flood.served, 0.05 * flood.served);
    EXPECT_NEAR(flood.reading(1).queue_packets, flood.queue_packets, 0.1 * flood.queue_packets);
    flood.queue_packets = 4000;
    EXPECT_EQ(flood.reading(1).queue_packets, 0) << "what it loses is no overflow here";
}

TEST(FloodReading, NothingArrives) {
    const FloodReceipt none = read_arrivals({}, {}, 0);
    EXPECT_EQ(read_flood(std::vector{none, none}).packets_per_s, 0);
    EXPECT_EQ(read_flood({}).queue_packets, 0);
}

TEST(FloodLoss, WhatThisHostLosesIsNoOverflow) {
    FloodLoss loss;
    for (std::uint64_t number = 0; number < 100; number += 2)
        loss.add(0, number);
    EXPECT_TRUE(loss.overflow());
    EXPECT_FALSE(loss.overflow(49));
    FloodLoss late;
    for (const std::uint64_t number : {0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 10})
        late.add(0, number);
    EXPECT_FALSE(late.overflow()) << "packets that others overtook";
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// A study tells what its budget was too small for from what its hosts cannot show.
#include "campaign/study/unknown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/plan.hpp"

namespace alltold::campaign {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::array<Collective, 0> no_collective{};

/// All that is planned of the network, but for one probe.
std::vector<PointSamples> planned(const Clusters& hosts, std::string_view but = {}) {
    const auto plan = *rough_network_plan(hosts);
    std::vector<PointSamples> measured;
    for (const auto& point : plan)
        if (point.probe != but)
            measured.push_back({point, {{0, 1, false, 0}, {1, 1, false, 0}, {2, 1, false, 0}}});
    return measured;
}

/// All of the links is known.
Network known_network() {
    Network network;
    network.links = LinkNetwork{.port = {6e6, 1e-4, 65536}, .backbone = Link{24e6, 1e-2, 262144}};
    return network;
}

std::vector<std::string> unknown(const Network& network, const Clusters& hosts,
                                 const std::vector<PointSamples>& measured) {
    return unknown_of(network, hosts, measured, no_collective);
}

TEST(Unknown, IsAllOfANetworkThatWasNotMeasured) {
    EXPECT_THAT(unknown_of({}, Clusters({6, 6}), {}, std::array{Collective::bcast}),
                ElementsAre("the rate of the hosts' links", "the paths between clusters",
                            "the time of the MPI library's bcast on 6+6"));
    EXPECT_THAT(unknown(known_network(), Clusters({6, 6}), {}), IsEmpty())
        << "known, whatever it was learned from";
}

TEST(Unknown, BuffersCountUnlessTheHostsCannotFillThem) {
    const Clusters hosts({12});
    auto network = known_network();
    network.links->port.queue_bytes = 0;
    EXPECT_THAT(unknown(network, hosts, planned(hosts, "port_floods")),
                ElementsAre("the buffers of switch ports"));
    EXPECT_THAT(unknown(network, hosts, planned(hosts)), IsEmpty());
    EXPECT_THAT(unknown(network, Clusters({2}), {}), IsEmpty()) << "one host fills no port";
}

TEST(Unknown, RatesOfWhichOnlyTheLeastIsKnownCountUnlessNothingFillsThem) {
    const Clusters hosts({6, 6});
    auto network = known_network();
    network.links->port.at_least = network.links->backbone->at_least = true;
    EXPECT_THAT(unknown(network, hosts, {}),
                ElementsAre("the rate of the hosts' links", "the rate of paths between clusters"));
    EXPECT_THAT(unknown(network, hosts, planned(hosts, "train")),
                ElementsAre("the rate of the hosts' links"));
    EXPECT_THAT(unknown(network, hosts, planned(hosts, "path_floods")), IsEmpty())
        << "flows did not fill it";
    EXPECT_THAT(unknown(network, hosts, planned(hosts)), IsEmpty());
    EXPECT_THAT(unknown(network, Clusters({1, 1}), planned(Clusters({1, 1}))), IsEmpty())
        << "no cluster has two hosts";
}

TEST(Unknown, DelayAndQueueOfPathsCountUntilTheyWereMeasured) {
    const Clusters hosts({6, 6});
    auto network = known_network();
    network.links->backbone->latency_known = false;
    network.links->backbone->queue_bytes = 0;
    EXPECT_THAT(unknown(network, hosts, {}), ElementsAre("the delay of paths between clusters",
                                                         "the queues of paths between clusters"));
    auto measured = planned(hosts);
    EXPECT_THAT(unknown(network, hosts, measured), IsEmpty());
    for (auto& samples : measured)
        samples.samples.resize(2);
    EXPECT_THAT(unknown(network, hosts, measured),
                ElementsAre("the delay of paths between clusters"))
        << "two ping-pongs are too few, two floods are not";
    EXPECT_THAT(unknown(network, Clusters({12}), {}), IsEmpty()) << "there are no paths";
}

} // namespace
} // namespace alltold::campaign

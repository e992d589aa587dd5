// SPDX-License-Identifier: BSD-3-Clause
// Claims 1 to 3, proposition 1 and the physical bounds of message exchange digraphs.
#include "predict/bounds/digraph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "digraphs.hpp"
#include "network/signature/signature.hpp"
#include "predict/bounds/bounds.hpp"

using namespace alltold;

namespace {

constexpr Hockney ethernet{50e-6, 8e-9};

bool is_near(double a, double b) {
    return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

/// Any digraph of up to 33 processes, each pair with a message half of the time.
MessageDigraph arbitrary(int n, unsigned seed) {
    std::mt19937 random(seed);
    MessageDigraph digraph(n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (i != j && random() % 2)
                digraph.add({i, j, static_cast<double>(random() % 10000)});
    return digraph;
}

} // namespace

TEST(Digraph, HandWorked) {
    MessageDigraph digraph(4); // 0 sends most bytes, 3 receives most messages
    digraph.add({0, 1, 5000});
    digraph.add({0, 3, 1000});
    digraph.add({1, 3, 2000});
    digraph.add({2, 3, 0});
    EXPECT_EQ(digraph.out_degree(), 2);
    EXPECT_EQ(digraph.in_degree(), 3);
    EXPECT_EQ(digraph.startups(), 3);
    EXPECT_EQ(digraph.most_sent_bytes(), 6000);
    EXPECT_EQ(digraph.most_received_bytes(), 5000);
    EXPECT_DOUBLE_EQ(digraph.bandwidth_bound_s(ethernet), 48e-6);
    EXPECT_DOUBLE_EQ(digraph.bound_s(ethernet), 198e-6);
    EXPECT_DOUBLE_EQ(nic_bound_s(digraph, Clusters({4}), 1e6), 6e-3);
    // 0 and 1 together send 1000 and 2000 bytes to 2 and 3.
    EXPECT_DOUBLE_EQ(nic_bound_s(digraph, *Clusters::parse("2x2"), 1e6), 3e-3);
    EXPECT_EQ(nic_bound_s(digraph, *Clusters::parse("1x4"), 1e6), 0);
    const Backbone backbone{1e6, 5e-3};
    EXPECT_DOUBLE_EQ(wan_bound_s(digraph, Clusters({2, 2}), backbone), 8e-3);     // 3000 cross
    EXPECT_DOUBLE_EQ(wan_bound_s(digraph, Clusters({1, 2, 1}), backbone), 11e-3); // 6000 leave 0
    EXPECT_EQ(wan_bound_s(digraph, Clusters({4}), backbone), 0);
    EXPECT_EQ(MessageDigraph(3).bound_s(ethernet), 0);
}

TEST(Digraph, AllToAllBoundsHandWorked) {
    EXPECT_DOUBLE_EQ(alltoall_nic_bound_s(Clusters({12}), 65536, 6e6), 11 * 65536 / 6e6);
    // Three ranks of a host send to three others each.
    EXPECT_DOUBLE_EQ(alltoall_nic_bound_s(*Clusters::parse("2x3"), 65536, 6e6), 9 * 65536 / 6e6);
    EXPECT_DOUBLE_EQ(alltoall_nic_bound_s(*Clusters::parse("1x5/2"), 1000, 1e6), 10e-3);
    EXPECT_EQ(alltoall_nic_bound_s(*Clusters::parse("1x8"), 1000, 1e6), 0);
    EXPECT_DOUBLE_EQ(alltoall_bound_s(*Clusters::parse("2x3"), 1000, 1e6, {}), 9e-3);
    EXPECT_DOUBLE_EQ(alltoall_wan_bound_s(Clusters({6, 6}), 1000, {1e6, 5e-3}), 41e-3);
    EXPECT_DOUBLE_EQ(alltoall_wan_bound_s(Clusters({4, 8, 4}), 1000, {1e6, 5e-3}), 69e-3);
    EXPECT_EQ(alltoall_wan_bound_s(Clusters({12}), 1000, {1e6, 5e-3}), 0);
}

TEST(Digraph, UniformIsPropositionOne) {
    EXPECT_TRUE(rc::check("claim 3 of the total exchange == equation 1", [] {
        const int n = *rc::gen::inRange(1, 34);
        const double m = *rc::gen::inRange(0, 1 << 20);
        const auto digraph = uniform(n, m);
        RC_ASSERT(digraph.startups() == n - 1);
        RC_ASSERT(is_near(digraph.bound_s(ethernet), linear_time_s(ethernet, n, m)));
        const Clusters apart({n});
        RC_ASSERT(is_near(nic_bound_s(digraph, apart, 7e6), alltoall_nic_bound_s(apart, m, 7e6)));
        const auto shared =
            Clusters::of_hosts({*rc::gen::container<std::vector<int>>(5, rc::gen::inRange(1, 9))});
        RC_ASSERT(is_near(nic_bound_s(uniform(shared.ranks(), m), shared, 7e6),
                          alltoall_nic_bound_s(shared, m, 7e6)));
    }));
}

TEST(Digraph, UniformOverClustersIsTheClosedForm) {
    EXPECT_TRUE(rc::check("wan bound of the total exchange", [] {
        const Clusters clusters(*rc::gen::nonEmpty(
            rc::gen::resize(5, rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 8)))));
        const double m = *rc::gen::inRange(0, 1 << 20);
        const Backbone backbone{25e6, 10e-3};
        const auto digraph = uniform(clusters.ranks(), m);
        RC_ASSERT(is_near(wan_bound_s(digraph, clusters, backbone),
                          alltoall_wan_bound_s(clusters, m, backbone)));
    }));
}

TEST(Digraph, ClaimsAreOrderedAndBlindToNames) {
    EXPECT_TRUE(rc::check("claim 2 <= claim 3; renaming and reversing change nothing", [] {
        const int n = *rc::gen::inRange(1, 34);
        const auto digraph = arbitrary(n, *rc::gen::arbitrary<unsigned>());
        RC_ASSERT(digraph.bandwidth_bound_s(ethernet) <= digraph.bound_s(ethernet));
        RC_ASSERT(digraph.startups() <= n - 1);

        std::vector<int> names(static_cast<std::size_t>(n));
        std::iota(names.begin(), names.end(), 0);
        std::shuffle(names.begin(), names.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
        const auto name = [&](int i) { return names[static_cast<std::size_t>(i)]; };
        MessageDigraph renamed(n);
        MessageDigraph reversed(n);
        for (const auto& arc : digraph.arcs()) {
            renamed.add({name(arc.from), name(arc.to), arc.size_bytes});
            reversed.add({arc.to, arc.from, arc.size_bytes});
        }
        for (const auto* other : {&renamed, &reversed}) {
            RC_ASSERT(is_near(digraph.bound_s(ethernet), other->bound_s(ethernet)));
            RC_ASSERT(digraph.startups() == other->startups());
        }
    }));
}

TEST(Digraph, MoreMessagesNeverTakeLess) {
    EXPECT_TRUE(rc::check("adding an arc lowers no bound", [] {
        const int n = *rc::gen::inRange(2, 20);
        const auto whole = arbitrary(n, *rc::gen::arbitrary<unsigned>());
        const Clusters clusters({1, n - 1});
        MessageDigraph growing(n);
        double claim = 0;
        double nic = 0;
        double wan = 0;
        for (const auto& arc : whole.arcs()) {
            growing.add(arc);
            RC_ASSERT(growing.bound_s(ethernet) >= claim);
            RC_ASSERT(nic_bound_s(growing, clusters, 1e6) >= nic);
            RC_ASSERT(wan_bound_s(growing, clusters, {1e6, 1e-3}) >= wan);
            claim = growing.bound_s(ethernet);
            nic = nic_bound_s(growing, clusters, 1e6);
            wan = wan_bound_s(growing, clusters, {1e6, 1e-3});
        }
    }));
}

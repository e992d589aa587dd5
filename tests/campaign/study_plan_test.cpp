// SPDX-License-Identifier: BSD-3-Clause
// A study never fits what it holds out, and holds something out on every network.
#include "campaign/study/plan.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

using namespace alltold;
using namespace alltold::campaign;

TEST(StudyPlan, TwelveHosts) {
    const auto plan = plan_study(Clusters({12}));
    EXPECT_EQ(plan.fitted_layouts, (std::vector{Clusters({4}), Clusters({8})}));
    EXPECT_EQ(plan.held_out_layouts, (std::vector{Clusters({6}), Clusters({12})}));
    EXPECT_EQ(plan.learnt_layouts.size(), 2U);
    const auto fits = [&](const Clusters& layout, std::uint64_t size) {
        return plan.fits({"bcast", "bcast.binomial", layout, size, -1, -1});
    };
    EXPECT_TRUE(fits(plan.learnt_layouts.back(), 4096));
    EXPECT_FALSE(fits(plan.learnt_layouts.back(), plan.chosen_bytes));
    EXPECT_FALSE(fits(Clusters({12}), 4096));
    EXPECT_FALSE(plan.fits({"bcast", "mpi", plan.learnt_layouts.back(), 4096, -1, -1}))
        << "the library's algorithm is not known";
}

TEST(StudyPlan, TwoClusters) {
    const auto plan = plan_study(Clusters({6, 6}));
    EXPECT_EQ(plan.fitted_layouts, (std::vector{Clusters({3}), Clusters({6})}));
    EXPECT_EQ(plan.held_out_layouts, (std::vector{Clusters({3, 3}), Clusters({6, 6})}));
}

TEST(StudyPlan, FittedAndHeldOutAreApart) {
    EXPECT_TRUE(rc::check("no layout or size is both, all fit on the hosts", [] {
        auto sizes =
            *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 40)));
        RC_PRE(Clusters(sizes).ranks() >= 2);
        const Clusters hosts(sizes);
        const auto plan = plan_study(hosts);
        for (const auto& layout : plan.layouts()) {
            RC_ASSERT(layout.ranks() >= 2);
            RC_ASSERT(layout.count() <= hosts.count());
            for (int c = 0; c < layout.count(); ++c)
                RC_ASSERT(layout.size(c) <= hosts.size(c));
        }
        for (const auto& layout : plan.held_out_layouts)
            for (const auto size : plan.sizes())
                RC_ASSERT(!plan.fits({"alltoall", "mpi", layout, size, -1, -1}));
        for (const auto size : plan.learnt_sizes)
            RC_ASSERT(!plan.fits({"gather", "gather.flat", hosts, size, -1, -1}));
        RC_ASSERT(!plan.fits({"bcast", "mpi", hosts, plan.chosen_bytes, -1, -1}));
        for (const auto size : plan.held_out_sizes)
            for (const auto& layout : plan.layouts())
                RC_ASSERT(!plan.fits({"alltoall", "mpi", layout, size, -1, -1}));
        RC_ASSERT(plan.fits({"pingpong", "mpi", Clusters({2}), 77, 0, 1}));
    }));
}

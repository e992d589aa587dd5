// SPDX-License-Identifier: BSD-3-Clause
// No round of a call costs more than it may.
#include "campaign/policies/elimination.hpp"

#include <gtest/gtest.h>

#include "../scratch.hpp"

namespace alltold::campaign {
namespace {

/// A broadcast on eight hosts of which the library's own and a tree are predicted to take `time_s`.
TunedCall call(std::uint64_t size_bytes, double time_s) {
    const Estimate predicted_s{time_s, 0.8 * time_s, 1.2 * time_s};
    return {.probe = {Collective::bcast},
            .clusters = Clusters({8}),
            .size_bytes = size_bytes,
            .choices = {{}, {*find_algorithm("bcast.binomial")}},
            .elimination = Elimination(
                {{.predicted_s = predicted_s, .is_default = true}, {.predicted_s = predicted_s}})};
}

/// The sizes of what the policy measures, until it has enough, where all takes as long as
/// predicted.
std::set<std::uint64_t> measured_sizes(EliminationOptions options, double most_limit_s) {
    const test::Scratch scratch;
    Provenance here;
    here.hosts.assign(8, "h");
    here.clusters = Clusters({8});
    auto store = Campaign::resume(scratch / "net.db", here, 1);
    EXPECT_TRUE(store) << store.error().message;
    std::vector<TunedCall> calls{call(1024, 0.01), call(1 << 26, 3)};
    EliminationPolicy policy(*store, calls, options);
    std::set<std::uint64_t> sizes;
    double now_s = 0;
    for (auto next = policy.next(now_s); next && *next; next = policy.next(now_s)) {
        const auto& measurement = **next;
        sizes.insert(measurement.point.size_bytes);
        EXPECT_LE(measurement.limit_s, most_limit_s);
        const double time_s = measurement.point.size_bytes > 1024 ? 3 : 0.01;
        for (int i = 0; i < measurement.repetitions; ++i, now_s += time_s)
            EXPECT_TRUE(policy.observe(measurement, {.value = time_s}));
    }
    EXPECT_EQ(policy.out_of_time(), sizes.size() < 2);
    return sizes;
}

TEST(EliminationPolicy, LeavesACallWhoseRoundCostsMoreThanItMay) {
    EXPECT_EQ(measured_sizes({.budget_s = 600}, 600), (std::set<std::uint64_t>{1024, 1 << 26}));
    EXPECT_EQ(measured_sizes({.budget_s = 600, .most_cost_s = 4}, 4),
              (std::set<std::uint64_t>{1024}))
        << "both candidates take six seconds";
    EXPECT_TRUE(
        measured_sizes({.start_mode = StartMode::loop, .budget_s = 600, .most_cost_s = 0.9}, 0.9)
            .empty())
        << "a loop of 50 calls of either takes half a second";
}

} // namespace
} // namespace alltold::campaign

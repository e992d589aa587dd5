// SPDX-License-Identifier: BSD-3-Clause
// Rules from winners: the nearest applies, neighbours merge, nothing overlaps, and other rules
// decide calls beyond them.
#include <gtest/gtest.h>

#include "predict/rules/choice_table.hpp"
#include "predict/rules/parse.hpp"
#include "predict/rules/tuned_rules.hpp"

namespace alltold {
namespace {

CallWinner winner(int n, std::uint64_t size_bytes, const char* choice) {
    return {Collective::bcast, Clusters({n}), size_bytes, *parse_choice(choice)};
}

TEST(TunedRules, NearestSizeAndRanksDecide) {
    const std::vector<CallWinner> winners{
        winner(4, 64, "bcast.flat"), winner(4, 4096, "bcast.flat"),
        winner(4, 65536, "bcast.binomial"), winner(9, 64, "mpi"), winner(9, 65536, "bcast.chain")};
    const auto others = parse_rules("bcast:any:n<=6:one cluster = bcast.binary\n"
                                    "bcast:any:n>6:one cluster = bcast.binomial\n"
                                    "gather:any = mpi",
                                    "test");
    const auto rules = tuned_rules(winners, *others);
    EXPECT_EQ(text_of(rules), "bcast:-16KiB:n<=5:one cluster:per-host=1 = bcast.flat\n"
                              "bcast:16KiB-:n<=5:one cluster:per-host=1 = bcast.binomial\n"
                              "bcast:-2KiB:n=6-9:one cluster:per-host=1 = mpi\n"
                              "bcast:2KiB-:n=6-9:one cluster:per-host=1 = bcast.chain\n"
                              "bcast:any:n>=10:one cluster = bcast.binomial\n"
                              "gather:any = mpi\n");
    EXPECT_TRUE(parse_rules(text_of(rules), "again")) << "no overlap";
}

TEST(TunedRules, NumbersOfClustersAreKeptApart) {
    const std::vector<CallWinner> winners{winner(4, 64, "bcast.flat"),
                                          {Collective::bcast, Clusters({6, 6}), 64, {}}};
    const auto rules = tuned_rules(winners, {});
    EXPECT_EQ(text_of(rules), "bcast:any:n<=4:one cluster:per-host=1 = bcast.flat\n"
                              "bcast:any:n<=12:clusters=2:per-host=1 = mpi\n");
}

} // namespace
} // namespace alltold

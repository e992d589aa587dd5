// SPDX-License-Identifier: BSD-3-Clause
// Good rules mean what they say, bad ones name their place and what would be right.
#include "predict/rules/rule.hpp"

#include <ostream>

#include <gtest/gtest.h>

namespace alltold {
namespace {

struct Good {
    const char* text;
    const char* printed; ///< what the rules look like when printed
};

struct Bad {
    const char* text;
    const char* message; ///< how it begins
};

std::ostream& operator<<(std::ostream& out, const Good& row) {
    return out << row.text;
}
std::ostream& operator<<(std::ostream& out, const Bad& row) {
    return out << row.text;
}

class GoodRules : public testing::TestWithParam<Good> {};
class BadRules : public testing::TestWithParam<Bad> {};

TEST_P(GoodRules, print_in_one_way) {
    const auto rules = parse_rules(GetParam().text, "test");
    ASSERT_TRUE(rules) << rules.error().message;
    EXPECT_EQ(text_of(*rules), GetParam().printed);
}

TEST_P(BadRules, name_their_place) {
    const auto rules = parse_rules(GetParam().text, "my.rules");
    ASSERT_FALSE(rules);
    EXPECT_EQ(rules.error().message.substr(0, std::string(GetParam().message).size()),
              GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, GoodRules,
    testing::Values(
        Good{"", ""}, Good{"# nothing\n\n ; ;\n", ""},
        Good{"alltoall:64KiB-:n>=8 = alltoall.pairwise",
             "alltoall:64KiB-:n>=8 = alltoall.pairwise\n"},
        Good{" bcast : 1KiB - 1MiB : n <= 12:clusters=2=bcast.chain_segmented   segment=8KiB # why",
             "bcast:1KiB-1MiB:n<=12:clusters=2 = bcast.chain_segmented segment=8KiB\n"},
        Good{"alltoall:-64KiB = mpi; alltoall:64KiB- = alltoall.rotated window=4\n"
             "scatter:any:n=8:one cluster=scatter.flat",
             "alltoall:-64KiB = mpi\nalltoall:64KiB- = alltoall.rotated window=4\n"
             "scatter:any:n=8:one cluster = scatter.flat\n"},
        Good{"gather:0-:n>8:n<17 = mpi", "gather:any:n=9-16 = mpi\n"},
        Good{"bcast:any:per-host=4:hosts>=2 = mpi; bcast:any:hosts=1 = mpi",
             "bcast:any:hosts>=2:per-host=4 = mpi\nbcast:any:hosts=1 = mpi\n"},
        Good{"alltoall:any:clusters=2+1 = mpi; alltoall:any:per-host=1:clusters = 1+2:n>=2 = mpi;"
             "alltoall:any:n=3:clusters=2 = alltoall.lg",
             "alltoall:any:clusters=2+1 = mpi\nalltoall:any:clusters=1+2:per-host=1 = mpi\n"
             "alltoall:any:n=3:clusters=2 = alltoall.lg\n"},
        Good{"bcast:any=mpi|trial  bcast.chain loop=.5|bcast.flat",
             "bcast:any = mpi | trial bcast.chain loop=0.5 | bcast.flat\n"},
        Good{"alltoall:any:n=3=mpi|alltoall.paced window=2   barrier=1.2 silence=7e-1 | "
             "alltoall.direct;alltoall:any:n=2 = alltoall.direct silence=0.12345",
             "alltoall:any:n=3 = mpi | alltoall.paced window=2 silence=0.7 barrier=1.2 | "
             "alltoall.direct\nalltoall:any:n=2 = alltoall.direct silence=0.123\n"},
        Good{"alltoall:65536:clusters=2 = alltoall.lg",
             "alltoall:64KiB:clusters=2 = alltoall.lg\n"},
        Good{"alltoallv:any:n>=8 = alltoall.paced window=1 inter_cluster_window=4 segment=16KiB",
             "alltoallv:any:n>=8 = alltoall.paced segment=16KiB window=1 inter_cluster_window=4\n"},
        Good{
            "bcast:any:n=2 = mpi;bcast:any:n>=3:one cluster = mpi;bcast:any:n>=3:clusters>=2 = mpi",
            "bcast:any:n=2 = mpi\nbcast:any:n>=3:one cluster = mpi\n"
            "bcast:any:n>=3:clusters>=2 = mpi\n"}));

INSTANTIATE_TEST_SUITE_P(
    Rules, BadRules,
    testing::Values(
        Bad{"bcats:any = mpi", "my.rules:1:1: unknown collective 'bcats'; use bcast, scatter"},
        Bad{"\n# fine\n  bcast = mpi", "my.rules:3:3: sizes are missing; write bcast:any"},
        Bad{"bcast:any", "my.rules:1:1: a rule needs '=' and an algorithm"},
        Bad{"bcast:any =", "my.rules:1:12: the algorithm after '=' is missing"},
        Bad{"bcast:64KB- = mpi; bcast:1XB- = mpi",
            "my.rules:1:26: '1XB' is not a size: unknown unit 'XB'"},
        Bad{"bcast: = mpi", "my.rules:1:7: not a range of sizes; write any"},
        Bad{"bcast:- = mpi", "my.rules:1:7: not a range of sizes; write any"},
        Bad{"bcast:2KiB-1KiB = mpi",
            "my.rules:1:7: empty range: from 2048 up to, but excluding, 1024"},
        Bad{"bcast:1KiB-1KiB = mpi",
            "my.rules:1:7: empty range: from 1024 up to, but excluding, 1024"},
        Bad{"bcast:-0 = mpi", "my.rules:1:7: empty range: from 0 up to, but excluding, 0"},
        Bad{"bcast:any:m>=8 = mpi", "my.rules:1:11: 'm>=8' is not a condition; write n>=8"},
        Bad{"bcast:any:n>=8x = mpi", "my.rules:1:11: 'n>=8x' is not a condition; write n>=8"},
        Bad{"bcast:any:n=>8 = mpi", "my.rules:1:1"}, Bad{"bcast:any:n>=0 = mpi", "my.rules:1:11: "},
        Bad{"bcast:any:n>=2-4 = mpi", "my.rules:1:11: 'n>=2-4' is not a condition"},
        Bad{"bcast:any:two clusters = mpi", "my.rules:1:11: 'two clusters' is not a condition"},
        Bad{"bcast:any:after silence = mpi", "my.rules:1:11: 'after silence' is not a condition"},
        Bad{"bcast:any = mpi | bcast.flat silence=0",
            "my.rules:1:30: 'silence=0' is not a time over the library's own, such as silence=0.7"},
        Bad{"bcast:any = mpi | bcast.flat barrier=1x", "my.rules:1:30: 'barrier=1x' is not a time"},
        Bad{"bcast:any = bcast.flat loops=1", "my.rules:1:24: 'loops=1' is not a parameter"},
        Bad{"bcast:any = mpi | scatter.flat",
            "my.rules:1:19: scatter.flat is not an algorithm for bcast"},
        Bad{"bcast:any = trial bcast.flat",
            "my.rules:1:13: the first candidate runs, so it cannot be a trial"},
        Bad{"bcast:any = mpi | trial scatter.flat", "my.rules:1:19: scatter.flat"},
        Bad{"bcast:any = mpi | ", "my.rules:1:18: the algorithm after '|' is missing"},
        Bad{"bcast:any = | mpi", "my.rules:1:13: the algorithm after '=' is missing"},
        Bad{"bcast:any:n=9-8 = mpi", "my.rules:1:11: 'n=9-8' contradicts"},
        Bad{"bcast:any:n<1 = mpi", "my.rules:1:11: 'n<1' contradicts"},
        Bad{"bcast:any:n>8:n<8 = mpi", "my.rules:1:15: 'n<8' contradicts the conditions before it"},
        Bad{"bcast:any:clusters=2+ = mpi",
            "my.rules:1:20: clusters '2+': '' is not a cluster size"},
        Bad{"bcast:any:clusters=2x2+1 = mpi", "my.rules:1:20: write the ranks of each cluster"},
        Bad{"bcast:any:clusters>=2+1 = mpi", "my.rules:1:11: 'clusters>=2+1' is not a condition"},
        Bad{"bcast:any:n<=3:clusters=2+2 = mpi", "my.rules:1:16: 'clusters=2+2' contradicts"},
        Bad{"bcast:any:clusters=3:clusters=2+2 = mpi", "my.rules:1:22: 'clusters=2+2' contradicts"},
        Bad{"bcast:any:clusters=3+1:clusters=2+2 = mpi",
            "my.rules:1:24: 'clusters=2+2' contradicts"},
        Bad{"bcast:any:clusters=2+2 = mpi; bcast:-8:clusters=2+2:per-host=1 = mpi",
            "my.rules:1:31: overlaps the rule in line 1"},
        Bad{"bcast:any = bcast.chian",
            "my.rules:1:13: unknown algorithm 'bcast.chian' of bcast; closest: bcast.chain"},
        Bad{"bcast:any = scatter.flat",
            "my.rules:1:13: scatter.flat is not an algorithm for bcast"},
        Bad{"bcast:any = mpi segment=8KiB",
            "my.rules:1:17: mpi, the library's own choice, takes no"},
        Bad{"bcast:any = mpi.pipeline segment=8KiB",
            "my.rules:1:13: the runtime cannot select the MPI library"},
        Bad{"bcast:any = mpi.pipelin",
            "my.rules:1:13: 'mpi.pipelin' is not an MPI library algorithm"},
        Bad{"bcast:any = bcast.chain segment=8KiB", "my.rules:1:13: bcast.chain takes no segment"},
        Bad{"bcast:any = bcast.chain_segmented",
            "my.rules:1:13: bcast.chain_segmented needs a segment size"},
        Bad{"bcast:any = bcast.chain_segmented segment=0",
            "my.rules:1:35: segment=0: must be at least 1"},
        Bad{"bcast:any = bcast.chain_segmented segmnt=8",
            "my.rules:1:35: 'segmnt=8' is not a parameter"},
        Bad{"alltoall:any = alltoall.lg",
            "my.rules:1:16: alltoall.lg needs two or more clusters; add :clusters>=2 to the rule"},
        Bad{"alltoallv:64KiB- = alltoall.pairwise",
            "my.rules:1:11: the sizes of an alltoallv differ from rank to rank"},
        Bad{"bcast:any:n>=8 = mpi\nbcast:1KiB-:n<=8 = bcast.flat",
            "my.rules:2:1: overlaps the rule in line 1, 'bcast:any:n>=8 = mpi'; each call must"},
        Bad{"bcast:-2KiB = mpi; bcast:2047- = mpi", "my.rules:1:20: overlaps the rule in line 1"}));

} // namespace
} // namespace alltold

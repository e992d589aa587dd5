// SPDX-License-Identifier: BSD-3-Clause
// One file for each trap of Open MPI's numbers, and files without any.
#include "findings.hpp"

namespace alltold::rulefile::test {
namespace {

/// One collective with one communicator size of 0 and these rules.
std::string bcast(const std::string& rules, int count) {
    return fmt::format("1\n7 1\n0 {}\n{}", count, rules);
}

TEST(LintClassic, CleanFiles) {
    const std::string clean = "# collectives\n2\n7 2 # bcast\n0 1\n0 0 0 0\n8 2\n0 0 0 0\n"
                              "65536 3 0 8192\n3 3 # alltoall\n0 1\n0 0 0 0\n4 2\n0 0 0 0\n"
                              "4096 2 0 0\n8 2\n0 0 0 0\n8192 2 0 0\n";
    for (const auto* target : {"openmpi", "openmpi-4.1", "openmpi-5.0.7"})
        expect_clean(clean, target);
    expect_clean("rule-file-version-2\n1\n3 1\n0 2\n0 0 0 0\n4096 4 0 0 8\n", "openmpi-5.0.7");
    expect_clean("rule-file-version-2\n1\n3 1\n0 2\n0 0 0 0\n4096 4 0 0 8\n", "openmpi-4.1.8");
    expect_clean("1\n15 1\n2 1\n0 2 0 0\n", "openmpi-6.0");
}

TEST(LintClassic, FirstRuleIsNotForZeroBytes) {
    expect_finding(bcast("8 1 0 0", 1), {4, "begins at 8 B; the whole file is dropped"});
}

TEST(LintClassic, SizesDoNotAscend) {
    expect_finding(bcast("0 1 0 0\n4096 2 0 0\n1024 6 0 0", 3), {6, "1024 B after 4096 B"});
    expect_finding("1\n7 2\n16 1\n0 0 0 0\n8 1\n0 0 0 0", {5, "communicator size 8 after 16"});
}

TEST(LintClassic, LeadingZeroIsOctal) {
    expect_finding(bcast("0 1 0 0\n010000 6 0 0", 2), {5, "010000 is read as 4096"});
    expect_finding(bcast("0 1 0 0\n0x100 6 0 0", 2), {5, "0x100 is read as 256"});
}

TEST(LintClassic, WordsAreSkipped) {
    expect_finding(bcast("0 binomial 6 0 0", 1), {4, "'binomial' is skipped"});
    expect_finding(bcast("0 1 0 0\n64k 6 0 0", 2), {5, "'k' is skipped"});
}

TEST(LintClassic, HeaderThatTheVersionDoesNotKnow) {
    const std::string text = "rule-file-version-2\n1\n7 1\n0 1\n0 6 0 0\n";
    expect_clean(text, "openmpi");
    expect_finding(text, {1, "openmpi-4.1 knows no header: the version is read as the number -2"},
                   "openmpi-4.1");
    expect_finding(text, {1, "knows no header"}, "openmpi-5.0.6");
    expect_finding("# mine\n" + text, {2, "read as the number -2"}, "openmpi-5.0.8");
}

TEST(LintClassic, FifthNumberWithoutHeader) {
    expect_finding("1\n3 1\n0 2\n0 0 0 0\n4096 4 0 0 8\n",
                   {5, "a fifth number, 8, is read as the size of the next rule"});
}

TEST(LintClassic, CountsAreWrong) {
    expect_finding(bcast("0 1 0 0", 2), {4, "the file ends before a message size"});
    expect_finding(bcast("0 1 0 0\n64 6 0 0", 1), {5, "4 further numbers are never read"});
    expect_finding("23\n", {1, "23 collectives are more than there are"});
    expect_finding("# nothing\n", {1, "no number of collectives"});
    expect_finding("-1\n", {1, "is negative"});
}

TEST(LintClassic, UnknownNumbers) {
    expect_finding("1\n22 1\n0 1\n0 1 0 0", {2, "there is no collective 22"});
    expect_finding(bcast("0 10 0 0", 1), {4, "bcast has no algorithm 10"});
    expect_finding("1\n0 1\n0 1\n0 7 0 0", {4, "allgather has no algorithm 7"}, "openmpi-4.1");
    expect_clean("1\n0 1\n0 1\n0 7 0 0", "openmpi-5.0");
    expect_finding("2\n7 1\n0 1\n0 1 0 0\n7 1\n0 1\n0 6 0 0", {5, "these replace the earlier"});
    expect_finding("1\n16 1\n0 1\n0 1 0 0", {2, "scatterv has a single algorithm"});
}

TEST(LintClassic, TwoProcOnMore) {
    expect_finding("1\n3 2\n0 1\n0 0 0 0\n2 1\n0 5 0 0", {6, "runs on 2 ranks only"});
    expect_clean("1\n3 3\n0 1\n0 0 0 0\n2 1\n0 5 0 0\n3 1\n0 0 0 0", "openmpi");
}

TEST(LintClassic, NoGuardForSmallCommunicators) {
    expect_finding("1\n7 1\n8 1\n0 6 0 0", {3, "communicators of fewer than 8 ranks"});
    expect_clean("1\n7 1\n8 1\n0 0 0 0", "openmpi");
}

TEST(LintClassic, RanksMayDisagree) {
    expect_finding("1\n15 1\n0 2\n0 0 0 0\n4096 2 0 0", {5, "scatter is sized by sendcount"});
    expect_finding("1\n9 1\n0 2\n0 1 0 0\n4096 2 0 0", {5, "a root with MPI_IN_PLACE need not"});
}

TEST(LintClassic, BytesOfOneBlock) {
    const std::string text = "1\n{} 3\n0 1\n0 0 0 0\n4 2\n0 0 0 0\n4096 2 0 0\n"
                             "8 2\n0 0 0 0\n4096 2 0 0\n";
    expect_finding(fmt::format(fmt::runtime(text), 3),
                   {8, "the sizes of alltoall are the same for 4 and 8 ranks"});
    expect_clean(fmt::format(fmt::runtime(text), 7), "openmpi");
}

TEST(LintClassic, CommunicatorSizesInVersion6) {
    const std::string text = "1\n7 3\n0 1\n0 0 0 0\n4 1\n0 6 0 0\n8 1\n0 3 0 8192\n";
    expect_clean(text, "openmpi-5.0");
    expect_finding(text, {5, "reads a communicator size as the end of its rules"}, "openmpi-6.0");
}

} // namespace
} // namespace alltold::rulefile::test

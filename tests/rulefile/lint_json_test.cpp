// SPDX-License-Identifier: BSD-3-Clause
// One file for each trap of the JSON formats, and files without any.
#include <algorithm>

#include "findings.hpp"
#include "rulefile/exported.hpp"

namespace alltold::rulefile::test {
namespace {

constexpr const char* version_6 = "openmpi-6.0";

/// Rules of one collective for all communicators; the first rule is in line 4.
std::string open_mpi(const std::string& collective, const std::string& rules) {
    return fmt::format("{{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {{\n"
                       "\"{}\": [\n{{\"comm_size_min\": 2, \"rules\": [\n{}\n]}}]}}}}",
                       collective, rules);
}

TEST(LintOpenMpiJson, CleanFiles) {
    expect_clean(open_mpi("bcast", R"({"msg_size_min": 65536, "alg": "pipeline", "seg_size": 8192},
{"msg_size_max": "inf", "alg": 6})"),
                 version_6);
    expect_clean(R"({"collectives": {"reduce_scatter": [
{"comm_size_min": 2, "comm_size_max": 4, "comm_rank_distribution": "one-per-node",
 "rules": [{"alg": 3}]},
{"comm_size_min": 2, "comm_size_max": 4, "rules": [{"alg": 1}]}]}})",
                 version_6);
}

TEST(LintJson, AnObjectWithoutNamesIsOfTheLibraryAskedFor) {
    EXPECT_EQ(lint("{}", *parse_target("mpich-4.0"))->format, Format::mpich_json);
    EXPECT_EQ(lint("{}", *parse_target("openmpi-6.0"))->format, Format::openmpi_json);
}

TEST(LintOpenMpiJson, NamesThatTheReaderSkipsOrRefuses) {
    expect_finding(open_mpi("bcast", R"({"alg": 3, "segsize": 8192})"),
                   {4, "\"segsize\" is skipped"}, version_6);
    expect_finding(open_mpi("reducescatter", R"({"alg": 3})"),
                   {2, "there is no collective \"reducescatter\"; the whole file is dropped"},
                   version_6);
    expect_finding(open_mpi("bcast", R"({"alg": "pipelined"})"),
                   {4, "bcast has no algorithm 'pipelined'; this rule is skipped"}, version_6);
    expect_finding(open_mpi("bcast", R"({"msg_size_min": 0})"), {4, "without \"alg\""}, version_6);
}

TEST(LintOpenMpiJson, ValuesThatDropTheFile) {
    expect_finding(open_mpi("bcast", R"({"msg_size_min": "64k", "alg": 3})"),
                   {4, "'64k' is no whole number; the whole file is dropped"}, version_6);
    expect_finding("{\"module\": \"tuned\"}", {1, "no object \"collectives\""}, version_6);
    expect_finding("{\"collectives\":\n{\"bcast\": {}}}", {2, "bcast is no array"}, version_6);
    expect_finding("{\"collectives\":\n{\"bcast\": [{}]}}", {2, "no array \"rules\""}, version_6);
    expect_finding("{\"collectives\":\n{\"bcast\": [}}", {2, "unexpected '}'"}, version_6);
    expect_finding("{\"collectives\":\n{\"bcast\n\": []}}", {2, "invalid string"}, version_6);
}

TEST(LintOpenMpiJson, TheFirstThatFitsDecides) {
    expect_finding(open_mpi("bcast", "{\"alg\": 6},\n{\"msg_size_min\": 65536, \"alg\": 3}"),
                   {5, "never reached: line 4"}, version_6);
    expect_finding(R"({"collectives": {"bcast": [{"rules": [{"alg": 6}]},
{"comm_size_min": 8, "rules": [{"alg": 3}]}]}})",
                   {2, "never reached: line 1"}, version_6);
    expect_finding(open_mpi("bcast", R"({"msg_size_min": 10, "msg_size_max": 5, "alg": 3})"),
                   {4, "no size fits"}, version_6);
    expect_finding(R"({"collectives": {"bcast": [
{"comm_rank_distribution": "one_per_node", "rules": [{"alg": 3}]}]}})",
                   {2, "\"one_per_node\" counts as \"any\""}, version_6);
}

TEST(LintOpenMpiJson, WhateverTheFormat) {
    expect_finding(open_mpi("scatter", "{\"msg_size_max\": 99, \"alg\": 1},\n{\"alg\": 2}"),
                   {5, "ranks may pick different algorithms"}, version_6);
    expect_finding(open_mpi("bcast", R"({"alg": 3})"), {1, "reads numbers, not JSON"},
                   "openmpi-5.0");
}

/// The whole tree of MPICH with one collective's branch replaced.
std::string mpich(const std::string& collective, const std::string& branch) {
    Exported nothing;
    auto text = mpich_json(nothing, *parse_target("mpich-4.0"));
    const auto key = fmt::format("  \"collective={}\": ", collective);
    const auto start = text.find(key);
    const auto end = text.find("\n  \"", start + 1);
    return text.substr(0, start) + key + branch + "," + text.substr(end);
}

/// Its line, once its text has been found.
int line_of(const std::string& text, const std::string& part) {
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<long>(text.find(part)), '\n'));
}

void expect_trap(const std::string& collective, const std::string& branch, const std::string& part,
                 const std::string& what, const std::string& target = "mpich-4.0") {
    const auto text = mpich(collective, branch);
    expect_finding(text, {line_of(text, part), what}, target);
}

TEST(LintMpich, CleanFiles) {
    for (const auto* version : {"mpich-4.0", "mpich-4.3", "mpich-5.0"})
        expect_clean(mpich_json({}, *parse_target(version)), version);
    expect_clean(mpich("alltoall", R"({"comm_type=intra": {"is_sendbuf_inplace=no": {
"comm_avg_ppn<=4": {"avg_msg_size<=256": {"algorithm=MPIR_Alltoall_intra_k_brucks": {"k=4": {}}},
"avg_msg_size=any": {"algorithm=MPIR_Alltoall_intra_pairwise": {}}},
"comm_avg_ppn=any": {"algorithm=MPIR_Alltoall_intra_scattered": {}}},
"is_sendbuf_inplace=yes": {"algorithm=MPIR_Alltoall_intra_pairwise_sendrecv_replace": {}}},
"comm_type=inter": {"algorithm=MPIR_Alltoall_inter_pairwise_exchange": {}}})"),
                 "mpich");
}

TEST(LintMpich, TheFileReplacesTheWholeTree) {
    expect_finding("{\"collective=bcast\": {\"algorithm=MPIR_Bcast_intra_binomial\": {}}}",
                   {1, "a call of allreduce, allgather, allgatherv, reduce or"}, "mpich-4.0");
}

TEST(LintMpich, ConditionsThatAreNotDefined) {
    const std::string rest = R"(: {"algorithm=MPIR_Gather_intra_binomial": {}},
"avg_msg_size=any": {"algorithm=MPIR_Gather_allcomm_nb": {}}})";
    const auto text = mpich("gather", "{\"avg_msg_size<=8\"" + rest);
    const auto found = found_in(text, "mpich-4.0");
    EXPECT_NE(found.find("avg_msg_size is not defined for gather"), std::string::npos) << found;
    expect_trap("gather", R"({"comm_type=intra": {
"total_msg_size<=4096": {"algorithm=MPIR_Gather_intra_binomial": {}},
"total_msg_size=any": {"algorithm=MPIR_Gather_allcomm_nb": {}}}})",
                "\"total_msg_size<=4096", "without the size of the datatype");
    expect_trap("gather", R"({"ranks<=4": {"algorithm=MPIR_Gather_intra_binomial": {}}})",
                "\"ranks<=4", "there is no condition 'ranks'");
    expect_trap("gather", R"({"comm_size=8": {"algorithm=MPIR_Gather_intra_binomial": {}},
"comm_size=any": {"algorithm=MPIR_Gather_intra_binomial": {}}})",
                "\"comm_size=8", "'comm_size=8' is unknown");
}

TEST(LintMpich, Thresholds) {
    const auto bcast = [](const std::string& condition) {
        return "{\"" + condition + R"(": {"algorithm=MPIR_Bcast_intra_binomial": {}},
"avg_msg_size=any": {"algorithm=MPIR_Bcast_allcomm_nb": {}}})";
    };
    expect_trap("bcast", bcast("avg_msg_size<=3000000000"), "3000000000", "overflows an int");
    expect_trap("bcast", bcast("avg_msg_size<=64k"), "<=64k", "first character that is no digit");
    expect_trap("bcast", R"({"avg_msg_size<=64": {
"comm_size<8": {"algorithm=MPIR_Bcast_intra_binomial": {}},
"comm_size=any": {"algorithm=MPIR_Bcast_allcomm_nb": {}}},
"avg_msg_size=any": {"algorithm=MPIR_Bcast_allcomm_nb": {}}})",
                "\"comm_size<8\": {\"algorithm=MPIR_Bcast", "'comm_size<8' also holds for 8 ranks");
}

TEST(LintMpich, EveryCallNeedsABranch) {
    expect_trap("bcast", R"({"avg_msg_size<=64": {"algorithm=MPIR_Bcast_intra_binomial": {}}})",
                "\"avg_msg_size<=64", "no branch holds where 'avg_msg_size<=64' does not");
    expect_trap("bcast", R"({"comm_size=any": {"algorithm=MPIR_Bcast_intra_binomial": {}},
"avg_msg_size=any": {"algorithm=MPIR_Bcast_allcomm_nb": {}}})",
                "\"avg_msg_size=any\": {\"algorithm=MPIR_Bcast_allcomm", "never reached");
    expect_trap("bcast", "{}", "\"collective=bcast\"", "a branch without an algorithm");
}

TEST(LintMpich, Algorithms) {
    expect_trap("bcast", R"({"algorithm=MPIR_Alltoall_intra_brucks": {}})",
                "\"algorithm=MPIR_Alltoall_intra_brucks\": {}}", "is no algorithm of bcast");
    expect_trap("bcast", R"({"algorithm=MPIR_Bcast_intra_chain": {}})", "MPIR_Bcast_intra_chain",
                "has no algorithm MPIR_Bcast_intra_chain");
    expect_trap("bcast", R"({"algorithm=MPIR_Bcast_intra_tree": {}})", "MPIR_Bcast_intra_tree",
                "mpich-4.0 has no algorithm");
    expect_trap("bcast", R"({"comm_type=inter": {"algorithm=MPIR_Bcast_intra_smp": {}},
"comm_type=intra": {"algorithm=MPIR_Bcast_intra_smp": {}}})",
                "\"comm_type=inter\": {\"algorithm=MPIR_Bcast_intra_smp",
                "does not run on communicators of comm_type=inter");
}

TEST(Lint, TellsFormatsApart) {
    EXPECT_FALSE(lint("hello\n", {}));
    EXPECT_FALSE(lint("", {}));
    const auto other = lint("1\n7 0\n", *parse_target("mpich-4.0"));
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("a file for Open MPI, not MPICH"), std::string::npos);
}

} // namespace
} // namespace alltold::rulefile::test

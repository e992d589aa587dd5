// SPDX-License-Identifier: BSD-3-Clause
// Whole runs of every collective under MPI on this machine.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../lab/run.hpp"
#include "../scratch.hpp"
#include "lab/lab.hpp"
#include "predict/choice/choice.hpp"
#include "schedule/algorithms/algorithm.hpp"
#include "store/campaign.hpp"

namespace alltold {
namespace {

using lab_tests::run_shell;
using nlohmann::json;

/// `words` after "alltold run" on so many ranks; standard error is dropped.
lab_tests::Ran run_ranks(int ranks, const std::string& words) {
    return run_shell(fmt::format("timeout 60 {} {} {} run {} 2>/dev/null", LAUNCH, ranks,
                                 ALLTOLD_BINARY, words));
}

class Run : public testing::TestWithParam<Collective> {};

TEST_P(Run, AllAlgorithmsDeliverBesideTheLibrarysOwn) {
    const std::string collective(name_of(GetParam()));
    const auto& traits = traits_of(GetParam());
    const bool rooted = traits.rooted;
    const auto ran =
        run_ranks(5, collective + " --clusters 2+3 --repetitions 3 --json" +
                         (traits.has_data ? " -m 1,20000" : "") + (rooted ? " --root 3" : ""));
    ASSERT_EQ(ran.status, 0) << ran.out;
    const auto report = json::parse(ran.out);
    EXPECT_EQ(report["collective"], collective);
    EXPECT_EQ(report["clusters"], "2+3");
    EXPECT_EQ(report["root"], rooted ? 3 : 0);
    EXPECT_TRUE(report["left_out"].empty()) << report["left_out"];
    std::map<std::size_t, std::set<std::string>> by_size;
    double last_s = 0;
    std::size_t last_size = 0;
    for (const auto& line : report["results"]) {
        EXPECT_EQ(line["verified"], true);
        EXPECT_EQ(line["times_s"].size(), 3U);
        EXPECT_GT(line["time_s"]["value"], 0);
        EXPECT_TRUE(line["time_s"]["low"].is_null()) << "three repetitions";
        const std::size_t size = line["size_bytes"];
        const double time_s = line["time_s"]["value"];
        EXPECT_TRUE(size != last_size || time_s >= last_s) << "best first";
        last_size = size;
        last_s = time_s;
        if (line["algorithm"] == "mpi") {
            EXPECT_EQ(line["time_over_mpi"], 1.);
        }
        by_size[size].insert(line["algorithm"]);
    }
    std::set<std::string> expected{"mpi"};
    for (const auto* row : registry())
        if (row->collective == GetParam() && row->hosts != Algorithm::Use::must)
            expected.insert(std::string(row->name));
    if (!traits.has_data) {
        EXPECT_EQ(by_size, (std::map<std::size_t, std::set<std::string>>{{0, expected}}));
        return;
    }
    EXPECT_EQ(by_size[1], expected);
    EXPECT_EQ(by_size[20000], expected);
}

INSTANTIATE_TEST_SUITE_P(Of, Run, testing::ValuesIn(uniform_collectives),
                         [](const auto& at) { return std::string(name_of(at.param)); });

TEST(RunOne, TakesNamesWithTheirParameters) {
    const auto ran = run_ranks(3, "alltoall --algorithm 'alltoall.rotated window=1,"
                                  "alltoall.rotated' --window 2 -m 100 --repetitions 1 "
                                  "--goodput 1Gbit --seed 7");
    ASSERT_EQ(ran.status, 0) << ran.out;
    for (const auto* words : {"alltoall.rotated window=1 ", "alltoall.rotated window=2 ", " mpi ",
                              "seed 7", "several ranks share a host"})
        EXPECT_NE(ran.out.find(words), std::string::npos) << words << "\n" << ran.out;
}

TEST(RunOne, TakesParametersAsOptions) {
    const auto ran =
        run_ranks(3, "alltoall --algorithm alltoall.paced --clusters 1+2 --segment 1KiB "
                     "--window 2 --inter-cluster-window 3 -m 4KiB --repetitions 1 "
                     "--without-mpi --json");
    ASSERT_EQ(ran.status, 0) << ran.out;
    const auto results = json::parse(ran.out.substr(ran.out.find('{')))["results"];
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0]["segment_bytes"], 1024);
    EXPECT_EQ(results[0]["window"], 2);
    EXPECT_EQ(results[0]["inter_cluster_window"], 3);
}

TEST(RunOne, TakesTheRuleOfItsStart) {
    for (const auto& [start, algorithm] :
         {std::pair("barrier", "alltoall.pairwise"), std::pair("silence", "alltoall.direct")}) {
        const auto ran = run_ranks(
            3, fmt::format("alltoall --algorithm auto --rules 'alltoall:any = alltoall.direct "
                           "| alltoall.pairwise barrier=0.5' -m 100 "
                           "--repetitions 1 --without-mpi --json --start {}",
                           start));
        ASSERT_EQ(ran.status, 0) << ran.out;
        const auto results = json::parse(ran.out.substr(ran.out.find('{')))["results"];
        ASSERT_EQ(results.size(), 1U);
        EXPECT_EQ(results[0]["algorithm"], algorithm);
    }
}

TEST(RunOne, SaysWhatEachRepetitionFollowed) {
    const auto ran =
        run_ranks(3, "alltoall --algorithm mpi -m 100 --repetitions 1 --start barrier --json");
    ASSERT_EQ(ran.status, 0) << ran.out;
    EXPECT_EQ(json::parse(ran.out.substr(ran.out.find('{')))["start"], "barrier");
}

TEST(RunOne, LoopsTakeTheirWorkWithEveryCall) {
    for (const std::string work : {"", " --work 2ms", " --work 2ms,exponential", " --sync"}) {
        const auto ran =
            run_ranks(3, "bcast --algorithm bcast.chain -m 100 --repetitions 3 --start "
                         "loop --goodput 1Gbit --json" +
                             work);
        ASSERT_EQ(ran.status, 0) << work << ran.out;
        const auto report = json::parse(ran.out.substr(ran.out.find('{')));
        EXPECT_EQ(report["start"], "loop");
        EXPECT_EQ(report["work_s"], work.find("2ms") == work.npos ? 0 : 2e-3);
        EXPECT_EQ(report["work_exponential"], work.find("exp") != work.npos);
        EXPECT_EQ(report["sync"], work == " --sync");
        ASSERT_EQ(report["results"].size(), 2U);
        for (const auto& line : report["results"]) {
            EXPECT_EQ(line["calls"].size(), 3U);
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_GE(line["calls"][i], 4);
                EXPECT_LE(line["calls"][i], 16 * 3);
                if (work == " --work 2ms") {
                    EXPECT_GE(line["times_s"][i], 2e-3) << "a call left out its work";
                }
            }
        }
    }
}

TEST(RunOne, SaysThatItLooped) {
    const auto ran =
        run_ranks(3, "bcast --algorithm mpi -m 100 --repetitions 2 --start loop --work 1ms --sync");
    ASSERT_EQ(ran.status, 0) << ran.out;
    for (const auto* words : {"in a loop with 1 ms of work and an allreduce of 8 B after each call",
                              "each repetition is a loop of", "per call, work"})
        EXPECT_NE(ran.out.find(words), std::string::npos) << words << "\n" << ran.out;
}

TEST(RunOne, NamesItsColumns) {
    const auto ran = run_ranks(2, "bcast --algorithm mpi -m 100 --repetitions 2");
    ASSERT_EQ(ran.status, 0) << ran.out;
    EXPECT_NE(ran.out.find("  reps  x bound  x mpi\n"), std::string::npos) << ran.out;
}

TEST(RunOne, TracesEveryOperationOfOurs) {
    const test::Scratch scratch;
    const auto file = (scratch / "run.trace").string();
    const auto ran =
        run_ranks(4, "alltoall --algorithm alltoall.rotated,alltoall.bruck -m 1000 --repetitions 2 "
                     "--trace " +
                         file);
    ASSERT_EQ(ran.status, 0) << ran.out;
    const auto json = nlohmann::json::parse(test::contents(file));
    const auto& calls = json.at("otherData").at("calls");
    ASSERT_EQ(calls.size(), 2U) << "the library's own has none";
    std::map<std::pair<int, int>, std::vector<nlohmann::json>> traced; // of call and rank
    for (const auto& event : json.at("traceEvents"))
        if (event.at("ph") == "X")
            traced[{event.at("pid"), event.at("tid")}].push_back(event);
    for (int call = 0; call < 2; ++call) {
        EXPECT_GT(calls[static_cast<std::size_t>(call)].at("time_s"), 0);
        const auto choice =
            parse_choice(calls[static_cast<std::size_t>(call)].at("algorithm").get<std::string>());
        const auto schedules =
            schedules_of(*choice->algorithm, Specification::of(Collective::alltoall, 4, 0, 1000),
                         choice->parameters);
        for (int rank = 0; rank < 4; ++rank) {
            const auto& schedule = schedules[static_cast<std::size_t>(rank)];
            const auto& operations = traced[{call, rank}];
            ASSERT_EQ(static_cast<int>(operations.size()), schedule.size());
            const auto start_us = [&](int i) {
                return operations[static_cast<std::size_t>(i)].at("ts").get<double>();
            };
            const auto end_us = [&](int i) {
                return start_us(i) +
                       operations[static_cast<std::size_t>(i)].at("dur").get<double>();
            };
            for (int i = 0; i < schedule.size(); ++i) {
                EXPECT_EQ(operations[static_cast<std::size_t>(i)].at("name"),
                          name_of(schedule[i].kind));
                EXPECT_GE(start_us(i), 0);
                EXPECT_GE(end_us(i), start_us(i));
                for (const auto before : schedule.after(i))
                    EXPECT_GE(start_us(i), end_us(before) - 0.01);
            }
        }
    }
}

TEST(RunOne, WritesNoTraceOverACampaign) {
    const test::Scratch scratch;
    const auto file = scratch / "net.db";
    const Provenance here{{"h0", "h1"}, Clusters({2}), "MPI", "Linux", "clock"};
    ASSERT_TRUE(Campaign::resume(file, here, 1));
    const auto bytes = [&] {
        std::ifstream stream(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    const auto before = bytes();
    const auto ran = run_shell(fmt::format(
        "timeout 60 {} 2 {} run bcast.flat -m 1 --repetitions 1 --without-mpi --trace {}", LAUNCH,
        ALLTOLD_BINARY, file.string()));
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_NE(ran.out.find(file.string() + ": exists and is not a trace; "), std::string::npos)
        << ran.out;
    EXPECT_EQ(ran.out.find("bcast.flat"), std::string::npos) << "says so before it measures";
    EXPECT_TRUE(bytes() == before);
}

TEST(RunOne, EverythingHasTheLibrarysOwnAlgorithms) {
    const auto ran = run_ranks(3, "gather --algorithm everything -m 100 --repetitions 1 --json");
    ASSERT_EQ(ran.status, 0) << ran.out;
    const auto report = json::parse(ran.out);
    std::set<std::string> names;
    for (const auto& line : report["results"])
        names.insert(line["algorithm"]);
    for (const auto* name : {"mpi", "mpi.binomial", "gather.binomial"})
        EXPECT_TRUE(names.contains(name)) << name << "\n" << ran.out;
}

TEST(RunOne, BadInputUnderMpiIsTwo) {
    for (const auto* words : {"alltoall.lg -m 1KiB",
                              "alltoall -m 1KiB --clusters 2+2",
                              "bcast -m 1KiB --root 3",
                              "alltoall -m 1KiB --root 0",
                              "allreduce -m 1KiB --root 0",
                              "barrier -m 1KiB",
                              "barrier --root 0",
                              "allgather",
                              "gather -m 1KiB --segment 1KiB",
                              "alltoall -m 1KiB --profile none.json",
                              "alltoall",
                              "bcast -m 1 --window 2",
                              "gather -m 1 --inter-cluster-window 2 --algorithm gather.flat",
                              "alltoallv -m 1KiB",
                              "alltoall -m 1KiB --matrix sparse",
                              "alltoallv --matrix random",
                              "alltoallv --matrix none.txt",
                              "scatter -m 1 --algorithm mpi.pairwise",
                              "scatter -m 1 --algorithm mpi.none",
                              "scatter -m 1 --algorithm 'mpi.binomial segment=1KiB'"}) {
        const auto ran = run_ranks(3, words);
        EXPECT_EQ(ran.status, 2) << words << "\n" << ran.out;
        EXPECT_EQ(ran.out, "") << words;
    }
}

TEST(RunVectors, EveryAlgorithmThatCanDelivers) {
    for (const std::string matrix : {"skewed", "sparse", "random"}) {
        const auto ran = run_ranks(5, "alltoallv -m 3000 --clusters 2+3 --repetitions 2 --json "
                                      "--matrix " +
                                          matrix);
        ASSERT_EQ(ran.status, 0) << ran.out;
        const auto report = json::parse(ran.out);
        EXPECT_TRUE(report["matrix"].get<std::string>().starts_with(matrix));
        std::set<std::string> expected{"mpi"}, found;
        for (const auto* row : registry())
            if (row->vectors)
                expected.insert(std::string(row->name));
        for (const auto& line : report["results"]) {
            found.insert(line["algorithm"]);
            EXPECT_FALSE(line.contains("port_drops")) << "no lab around";
        }
        EXPECT_EQ(found, expected);
    }
}

TEST(RunVectors, TakesAFile) {
    const auto file = std::filesystem::temp_directory_path() / "alltold_matrix_test.txt";
    std::ofstream(file) << "1 2KiB\n0 7\n";
    const auto ran = run_ranks(2, "alltoallv --repetitions 1 --matrix " + file.string());
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_NE(ran.out.find("2 KiB  alltoall.paced"), std::string::npos) << ran.out;
    EXPECT_EQ(run_ranks(3, "alltoallv --repetitions 1 --matrix " + file.string()).status, 2);
    std::filesystem::remove(file);
}

TEST(RunOne, CountsDropsInALab) {
    NEEDS_LAB();
    const auto ran =
        lab_tests::run_lab("--clusters 6 --nic 50Mbit --buffer 16KiB -- " LAB_LAUNCHER
                           " -n 6 " ALLTOLD_BINARY " run alltoall --algorithm alltoall.direct -m "
                           "64KiB --repetitions 2 --json --start barrier");
    ASSERT_EQ(ran.status, 0) << ran.out;
    const auto from = ran.out.find('{');
    const auto report = json::parse(ran.out.substr(from, ran.out.rfind('}') + 1 - from));
    for (const auto& line : report["results"]) {
        if (line["algorithm"] == "alltoall.direct")
            EXPECT_GT(line["port_drops"], 0);
        else // the library may lose nothing
            EXPECT_GE(line["port_drops"], 0) << line["algorithm"];
        EXPECT_EQ(line["backbone_drops"], 0);
    }
}

TEST(RunOne, TellsTheBoundsOfALab) {
    NEEDS_LAB();
    const auto ran = lab_tests::run_lab(
        "--clusters 2+1 --nic 50Mbit --wan 20Mbit,10ms,256KiB -- " LAB_LAUNCHER
        " -n 3 " ALLTOLD_BINARY " run scatter.flat -m 10000 --repetitions 2 --json");
    ASSERT_EQ(ran.status, 0) << ran.out;
    // The lab may say that this machine is busy, after the braces.
    const auto from = ran.out.find('{');
    const auto report = json::parse(ran.out.substr(from, ran.out.rfind('}') + 1 - from));
    const double useful = 1448. / 1514;
    // Two blocks leave the root's host; one crosses the backbone and takes its delay.
    const double nic_s = 20000 / (50e6 / 8 * useful);
    const double wan_s = 10000 / (20e6 / 8 * useful) + 10e-3;
    for (const auto& line : report["results"]) {
        EXPECT_DOUBLE_EQ(line["bound_s"], std::max(nic_s, wan_s));
        EXPECT_GT(line["time_over_bound"], 0.99) << line["algorithm"];
    }
}

} // namespace
} // namespace alltold

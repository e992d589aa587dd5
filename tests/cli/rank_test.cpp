// SPDX-License-Identifier: BSD-3-Clause
// alltold rank and alltold rules as users see them.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "../scratch.hpp"
#include "program.hpp"
#include "store/profile.hpp"

namespace alltold {
namespace {

using nlohmann::json;
using test::run_alltold;
using testing::HasSubstr;

constexpr const char* network = "@gigabit-ethernet-2007";

/// A folder of its own, gone with the test.
class Rules : public testing::Test {
  protected:
    Rules() { EXPECT_TRUE(save_profile(*load_profile(network), folder_ / "net.json")); }
    test::Run run(std::vector<std::string> arguments) const {
        return run_alltold(arguments, folder_.directory());
    }
    test::Scratch folder_;
};

TEST(Rank, takes_numbers_in_decimal_digits_alone) {
    const auto rank = [](const char* n) {
        return run_alltold({"rank", network, "bcast", "-n", n, "-m", "1KiB"});
    };
    EXPECT_THAT(rank("010").output, HasSubstr("n = 10,"));
    EXPECT_EQ(rank("010").output, rank("10").output);
    for (const char* n : {"0x10", " 4", "+4", "0b11", "true"}) {
        const auto run = rank(n);
        EXPECT_EQ(run.exit_status, 2) << n;
        EXPECT_THAT(run.errors, HasSubstr("number")) << n;
    }
    EXPECT_EQ(run_alltold({"show", "bcast.flat", "-n", "0x4"}).exit_status, 2);
    EXPECT_EQ(run_alltold({"show", "bcast.flat", "-n", "03", "--root", "002"}).exit_status, 0);
}

TEST(Rank, prints_the_best_first_and_why) {
    const auto run = run_alltold({"rank", network, "bcast", "-n", "12", "-m", "1MiB", "--why"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_THAT(run.output,
                testing::StartsWith("bcast on @gigabit-ethernet-2007, n = 12, m = 1 MiB, after a "
                                    "silence\n\nalgorithm"));
    const auto second_line = run.output.find("bcast.chain_segmented");
    EXPECT_LT(second_line, run.output.find("bcast.binomial "));
    EXPECT_THAT(run.output, HasSubstr("not ranked: mpi: was not measured on one cluster"));
    EXPECT_THAT(run.output, testing::ContainsRegex(
                                "\nbcast.circulant segment=[0-9A-Za-z]+ takes [0-9.]+ ms, "
                                "1.[0-9]+ times the lower bound of [0-9.]+ ms: bandwidth "
                                "[0-9]+ %,\nstart-ups [0-9]+ %\\.\nThe runner-up is bcast\\."));
}

TEST(Rank, says_the_same_in_json) {
    const auto run = run_alltold({"rank", network, "alltoall", "-n", "8", "-m", "64KiB", "--json",
                                  "--why", "--rules", "alltoall:any:n=8 = alltoall.bruck"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    const auto answer = json::parse(run.output);
    EXPECT_EQ(answer["n"], 8);
    EXPECT_EQ(answer["auto"], "alltoall.bruck");
    EXPECT_EQ(answer["why"].size(), 2U);
    EXPECT_GE(answer["candidates"].size(), 6U);
    for (const auto& candidate : answer["candidates"]) {
        const auto& time_s = candidate["time_s"];
        EXPECT_LE(time_s["low"], time_s["value"]);
        EXPECT_LE(time_s["value"], time_s["high"]);
    }
}

TEST_F(Rules, and_predictions_name_the_start) {
    auto profile = *load_profile((folder_ / "net.json").string());
    profile.provenance.start_mode = StartMode::barrier;
    ASSERT_TRUE(save_profile(profile, folder_ / "net.json"));
    using Words = std::vector<std::string>;
    for (const auto& words : {Words{"rank", "net.json", "bcast", "-n", "8", "-m", "1KiB"},
                              Words{"predict", "net.json", "bcast", "-n", "8", "-m", "1KiB"},
                              Words{"predict", "net.json", "bcast", "-n", "8,9", "-m", "1KiB",
                                    "--algorithm", "binomial"},
                              Words{"predict", "net.json", "alltoall", "-n", "8", "-m", "1KiB",
                                    "--algorithm", "mpi"}}) {
        const auto text = run(words);
        EXPECT_EQ(text.exit_status, 0) << text.errors;
        EXPECT_THAT(text.output.substr(0, text.output.find("\n\n")), HasSubstr("after a barrier"));
        auto with_json = words;
        with_json.emplace_back("--json");
        EXPECT_EQ(json::parse(run(with_json).output)["start"], "barrier") << words[0];
    }
}

TEST_F(Rules, are_printed_written_and_used) {
    // A library that takes far longer than any of ours.
    auto profile = *load_profile((folder_ / "net.json").string());
    for (std::uint64_t m = 1024; m <= 1 << 20; m *= 32)
        for (const int n : {4, 32})
            profile.network.library.push_back({Collective::bcast, Clusters({n}), m, {9, 8, 10}});
    ASSERT_TRUE(save_profile(profile, folder_ / "net.json"));
    const auto printed = run({"rules", "net.json"});
    EXPECT_EQ(printed.exit_status, 0) << printed.errors;
    EXPECT_THAT(printed.output, HasSubstr(":one cluster:per-host=1 = bcast.circulant segment="));
    EXPECT_TRUE(load_profile((folder_ / "net.json").string())->rules.empty());
    const auto written = run({"rules", "net.json", "--write", "-o", "my.rules"});
    EXPECT_EQ(written.output, printed.output);
    EXPECT_FALSE(load_profile((folder_ / "net.json").string())->rules.empty());
    std::ifstream file(folder_ / "my.rules");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), printed.output);
    EXPECT_THAT(printed.output, testing::StartsWith("# rules of alltold"));
    EXPECT_THAT(printed.output, HasSubstr("FROM is included, TO is not"));
    // What it prints can be read back.
    const auto again =
        run({"rank", "net.json", "bcast", "-n", "12", "-m", "1MiB", "--rules", "my.rules"});
    EXPECT_THAT(again.output, HasSubstr("\nauto: bcast.circulant segment="));
    const auto ranked = run({"rank", "net.json", "bcast", "-n", "12", "-m", "1MiB"});
    EXPECT_THAT(ranked.output, HasSubstr("\nauto: bcast.circulant segment="));
    EXPECT_THAT(ranked.output, testing::Not(HasSubstr("needs several clusters")))
        << "the network has one";
    const auto why = run({"rank", "net.json", "bcast", "-n", "16", "-m", "1MiB", "--why",
                          "--json"}); // as 4 and 32, a power of two
    EXPECT_THAT(json::parse(why.output)["why"][1].get<std::string>(),
                testing::ContainsRegex(" mpi takes 9(\\.[0-9]+)? s, [0-9.]+ times as long\\.$"));
    EXPECT_THAT(ranked.output, testing::ContainsRegex("is expected to take 0.00\\s+times the "));
    const auto own = run(
        {"rank", "net.json", "bcast", "-n", "12", "-m", "1MiB", "--rules", "bcast:1MiB- = mpi"});
    EXPECT_THAT(own.output,
                HasSubstr("\nauto: mpi, because your rule says so: bcast:1MiB- = mpi\n"));
}

TEST_F(Rules, of_calls_far_from_measured_ones_say_so_and_how_to_decide) {
    auto profile = *load_profile((folder_ / "net.json").string());
    for (std::uint64_t m = 1024; m <= 1 << 16; m *= 4)
        for (const int n : {4, 32})
            profile.network.library.push_back({Collective::bcast, Clusters({n}), m, {9, 8, 10}});
    profile.provenance.clusters = Clusters({32});
    ASSERT_TRUE(save_profile(profile, folder_ / "net.json"));
    ASSERT_EQ(run({"rules", "net.json", "--write"}).exit_status, 0);
    const auto near = run({"rank", "net.json", "bcast", "-n", "12", "-m", "64KiB"});
    EXPECT_THAT(near.output, HasSubstr("\nauto: bcast."));
    EXPECT_THAT(near.output, testing::Not(HasSubstr("A measurement decides")));
    const auto far = run({"rank", "net.json", "bcast", "-n", "12", "-m", "1MiB"});
    EXPECT_THAT(
        far.output,
        HasSubstr("\nauto: mpi, because no call of the MPI library near n = 12, m = 1 MiB "
                  "was measured\n\nA measurement decides:\n  mpirun -n 32 alltold tune net.db "
                  "-o net.json --collective bcast -n 12"));
    std::ofstream(folder_ / "truth.json")
        << R"({"alltold_lab": 1, "clusters": "32", "nic": {"rate_bit_per_s": 5e7},
               "switch": {"port_buffer_bytes": 65536}})";
    EXPECT_THAT(
        run({"rank", "net.json", "bcast", "-n", "12", "-m", "1MiB"}).output,
        HasSubstr("\n  alltold lab --clusters 32 --nic 50Mbit --buffer 64KiB -- mpirun -n 32 "
                  "alltold tune net.db -o \\\n"));
    std::ofstream(folder_ / "truth.json")
        << R"({"alltold_lab": 1, "clusters": "32; mine", "nic": {"rate_bit_per_s": 5e7},
               "switch": {"port_buffer_bytes": 65536}})";
    EXPECT_EQ(run({"rank", "net.json", "bcast", "-n", "12", "-m", "1MiB"}).output, far.output)
        << "no clusters";
    std::filesystem::remove(folder_ / "truth.json");
    ASSERT_EQ(::mkfifo((folder_ / "truth.json").c_str(), 0600), 0);
    constexpr unsigned limit_s = 3; // of processor time, and ten times as long to wait
    EXPECT_EQ(run_alltold({"rank", "net.json", "bcast", "-n", "12", "-m", "1MiB"},
                          folder_.directory(), false, limit_s)
                  .output,
              far.output);
    const auto most = run({"rank", "net.json", "bcast", "-n", "600", "-m", "64KiB"});
    EXPECT_THAT(
        most.output,
        HasSubstr("because no call of the MPI library near n = 600, m = 64 KiB was measured"));
    EXPECT_THAT(most.output, HasSubstr("\nA measurement decides:\n  mpirun -n 600 --map-by node "
                                       "alltold study --collective bcast\n"));
}

TEST_F(Rules, are_filtered_by_collective_ranks_and_size) {
    auto profile = *load_profile((folder_ / "net.json").string());
    profile.rules = {"bcast:-4KiB:n<=8 = mpi", "bcast:4KiB-:n<=8 = bcast.binomial",
                     "bcast:any:n=9-16 = mpi", "scatter:any = mpi"};
    ASSERT_TRUE(save_profile(profile, folder_ / "net.json"));
    const auto rules = [&](std::vector<std::string> filters) {
        std::vector<std::string> arguments{"rules", "net.json", "--json"};
        arguments.insert(arguments.end(), filters.begin(), filters.end());
        const auto printed = run(arguments);
        EXPECT_EQ(printed.exit_status, 0) << printed.errors;
        return json::parse(printed.output)["profile"].get<std::vector<std::string>>();
    };
    EXPECT_EQ(rules({}).size(), 4U);
    EXPECT_EQ(rules({"bcast"}).size(), 3U);
    EXPECT_THAT(rules({"-n", "16"}),
                testing::ElementsAre("bcast:any:n=9-16 = mpi", "scatter:any = mpi"));
    EXPECT_THAT(rules({"bcast", "-n", "8", "-m", "4KiB"}),
                testing::ElementsAre("bcast:4KiB-:n<=8 = bcast.binomial"));
    EXPECT_EQ(rules({"bcast", "-n", "8", "-m", "4095"}).front(), "bcast:-4KiB:n<=8 = mpi");
    EXPECT_EQ(run({"rules", "net.json", "bcast", "-o", "some.rules"}).exit_status, 2);
}

TEST_F(Rules, and_rankings_take_the_folder_of_a_study) {
    std::filesystem::create_directory(folder_ / "study");
    std::filesystem::rename(folder_ / "net.json", folder_ / "study/profile.json");
    const auto ranked = run({"rank", "study", "bcast", "-n", "8", "-m", "1KiB"});
    EXPECT_EQ(ranked.exit_status, 0) << ranked.errors;
    EXPECT_EQ(run({"rules", "study", "--write"}).exit_status, 0);
    EXPECT_FALSE(load_profile((folder_ / "study/profile.json").string())->rules.empty());
}

TEST_F(Rules, of_a_profile_that_was_edited_wrongly_name_their_place) {
    auto profile = *load_profile((folder_ / "net.json").string());
    profile.rules = {"bcast:any = mpi", "bcast:1KiB- = mpi"};
    const auto saved = save_profile(profile, folder_ / "net.json");
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message,
                HasSubstr("net.json: /rules: rules:2:1: overlaps the rule in line 1"));
}

TEST(RankAndRules, say_what_is_wrong) {
    const auto error = [](std::vector<std::string> arguments) {
        const auto run = run_alltold(arguments);
        EXPECT_EQ(run.exit_status, 2) << run.errors;
        EXPECT_EQ(run.output, "");
        return run.errors;
    };
    const std::vector<std::pair<std::vector<std::string>, const char*>> rows{
        {{"rank", network, "bcats", "-n", "8", "-m", "1"},
         "alltold: unknown collective 'bcats'; use bcast, scatter, gather, alltoall, allgather, "
         "reduce, allreduce, reduce_scatter_block, scan, exscan or barrier\n"},
        {{"rank", network, "barrier", "-n", "8", "-m", "1"},
         "alltold: -m: a barrier moves no data; leave it out\n"},
        {{"rank", network, "bcast", "-m", "1"},
         "alltold: -n or --clusters is missing, such as -n 8 or --clusters 3+7\n"},
        {{"rank", network, "bcast", "-n", "1", "-m", "1"},
         "alltold: -n 1: must be at least 2 and at most 1000000\n"},
        {{"rank", network, "bcast", "-n", "8"},
         "alltold: -m is missing: bytes per block, such as -m 64KiB\n"},
        {{"rank", network, "bcast", "-n", "8", "-m", "1XB"},
         "alltold: -m: '1XB' is not a size: unknown unit 'XB'; write 64KiB, 1MB or "
         "4096\n"},
        {{"rank", network, "bcast", "-n", "8", "--clusters", "6+6", "-m", "1"},
         "alltold: -n 8 contradicts the 12 ranks of --clusters 6+6; give only one of them\n"},
        {{"rank", network, "bcast", "--clusters", "6+0", "-m", "1"},
         "alltold: --clusters: clusters '6+0'"},
        {{"rank", network, "bcast", "--clusters", "6+6", "-m", "1"},
         "alltold: @gigabit-ethernet-2007: has no links with a backbone"},
        {{"rank", network, "bcast", "-n", "8", "-m", "1,2"},
         "alltold: -m takes one size here, not 1,2\n"},
        {{"rank", network, "bcast", "-n", "8", "-m", "1", "--rules", "bcast:any = falt"},
         "alltold: --rules:1:13: unknown algorithm 'falt' of bcast; closest: bcast.flat"},
        {{"rank", network, "bcast", "-n", "8", "-m", "1", "--rules", "/no.rules"},
         "alltold: /no.rules: no such file; expected a file of rules such as alltoall:64KiB-"},
        {{"rules", network, "--write"},
         "alltold: --write: @gigabit-ethernet-2007 is built in; use -o FILE\n"},
        {{"rules", network, "--rules", "bcast:any = mpi", "-o", "x"},
         "alltold: -o and --rules exclude each other"},
        {{"rules", "/none.json"}, "alltold: /none.json: no such file; expected a profile"}};
    for (const auto& [arguments, message] : rows)
        EXPECT_THAT(error(arguments), testing::StartsWith(message));
}

} // namespace
} // namespace alltold

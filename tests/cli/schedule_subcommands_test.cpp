// SPDX-License-Identifier: BSD-3-Clause
// What list, show and check print, and how they refuse.
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../predict/random_calls.hpp"
#include "../scratch.hpp"
#include "predict/library/library_algorithms.hpp"
#include "predict/parameters/resolve.hpp"
#include "program.hpp"
#include "store/profile.hpp"

namespace alltold {
namespace {

using nlohmann::json;
using test::run_alltold;

TEST(List, has_every_algorithm_once) {
    const auto text = run_alltold({"list"});
    EXPECT_EQ(text.exit_status, 0);
    const auto rows = json::parse(run_alltold({"list", "--json"}).output);
    ASSERT_EQ(rows.size(), registry().size() + library_algorithms().size());
    std::map<std::string, int> named, expected; // by first words of lines
    std::istringstream lines(text.output);
    for (std::string line; std::getline(lines, line);)
        ++named[line.substr(0, line.find(' '))];
    for (const auto& row : rows)
        ++expected[row.at("name").get<std::string>()];
    for (const auto& [name, times] : expected)
        EXPECT_EQ(named[name], times) << name;
}

TEST(Help, names_every_collective_that_a_subcommand_takes) {
    std::map<std::string, std::vector<Collective>> takes{
        {"rank", {uniform_collectives.begin(), uniform_collectives.end()}},
        {"predict", {all_collectives.begin(), all_collectives.end()}},
        {"rules", {all_collectives.begin(), all_collectives.end()}}};
#ifdef ALLTOLD_WITH_MPI
    takes["run"] = takes["predict"];
    for (const auto* name : {"measure", "tune", "study", "settings"})
        takes[name] = takes["rank"];
#endif
    for (const auto& [subcommand, collectives] : takes) {
        auto help = run_alltold({subcommand, "--help"}).output;
        std::ranges::replace_if(
            help, [](char c) { return std::string_view("\n,").find(c) != std::string_view::npos; },
            ' ');
        for (const auto collective : collectives)
            EXPECT_NE(help.find(fmt::format(" {} ", name_of(collective))), std::string::npos)
                << subcommand << " " << name_of(collective) << "\n"
                << help;
    }
}

TEST(Show, writes_out_whose_contributions_are_combined) {
    const std::vector<std::string> words{
        "show", "reduce.chain_segmented", "-n", "3", "-m", "24", "--segment", "8"};
    const auto run = run_alltold(words);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    for (const char* line :
         {"step 1\n     2 -> 1           8 B  rank 2 [0..7]\n",
          "     1 -> 0           8 B  ranks 1 to 2 [0..7]\n", "  ranks 1 to 2 [16..23]\n"})
        EXPECT_NE(run.output.find(line), std::string::npos) << line << run.output;
    EXPECT_EQ(run.output.find("all->"), std::string::npos) << run.output;
    auto as_json = words, as_svg = words;
    as_json.emplace_back("--json");
    as_svg.emplace_back("--svg");
    const auto result = json::parse(run_alltold(as_json).output);
    EXPECT_EQ(result.at("messages").back().at("blocks"), "ranks 1 to 2 [16..23]");
    int combined = 0;
    for (const auto& schedule : result.at("schedules"))
        for (const auto& operation : schedule.at("operations"))
            if (operation.at("kind") == "combine") {
                EXPECT_EQ(operation.at("target").at("size_bytes"), 8);
                ++combined;
            }
    EXPECT_EQ(combined, 2 * 3);
    EXPECT_NE(run_alltold(as_svg).output.find("rank 1 to 0: ranks 1 to 2 [0..7] (8 B)"),
              std::string::npos);
}

TEST(Show, a_barrier_has_no_blocks) {
    const auto run = run_alltold({"show", "barrier.dissemination", "-n", "3"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(run.output.starts_with("barrier.dissemination, 3 ranks: 6 messages, 2 steps\n"))
        << run.output;
    const auto sized = run_alltold({"show", "barrier.dissemination", "-n", "3", "-m", "1"});
    EXPECT_EQ(sized.exit_status, 2);
    EXPECT_EQ(sized.errors, "alltold: -m: a barrier moves no data; leave it out\n");
    const auto rooted = run_alltold({"show", "allgather.ring", "-n", "3", "--root", "0"});
    EXPECT_EQ(rooted.exit_status, 2);
    EXPECT_EQ(rooted.errors, "alltold: --root: allgather has no root; leave it out\n");
}

TEST(Show, writes_a_schedule_out) {
    const auto run =
        run_alltold({"show", "bcast.chain_segmented", "-n", "3", "-m", "11", "--segment", "6"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_EQ(run.output,
              "bcast.chain_segmented, 3 ranks, 11 B per block, segments of 6 B: 4 messages, 3 "
              "steps\n"
              "step 1\n"
              "     0 -> 1           6 B  0->all[0..5]\n"
              "step 2\n"
              "     0 -> 1           5 B  0->all[6..10]\n"
              "     1 -> 2           6 B  0->all[0..5]\n"
              "step 3\n"
              "     1 -> 2           5 B  0->all[6..10]\n"
              "rank 0: 2 operations, 0 B of scratch memory\n"
              "     0  send receive[0..5] to 1\n"
              "     1  send receive[6..10] to 1\n"
              "rank 1: 4 operations, 0 B of scratch memory\n"
              "     0  receive receive[0..5] from 0\n"
              "     1  receive receive[6..10] from 0\n"
              "     2  send receive[0..5] to 2, after 0\n"
              "     3  send receive[6..10] to 2, after 1\n"
              "rank 2: 2 operations, 0 B of scratch memory\n"
              "     0  receive receive[0..5] from 1\n"
              "     1  receive receive[6..10] from 1\n");
}

/// What `show` says of the parameters of a call.
Parameters shown(const json& result) {
    return {.segment_bytes = result.at("segment_bytes"),
            .window = result.at("window"),
            .inter_cluster_window = result.at("inter_cluster_window")};
}

TEST(Show, draws_the_call_that_runs) {
    const auto paced = run_alltold({"show", "alltoall.paced", "-n", "12", "-m", "64KiB", "--json"});
    ASSERT_EQ(paced.exit_status, 0) << paced.errors;
    EXPECT_EQ(shown(json::parse(paced.output)).window, 4);
    EXPECT_EQ(shown(json::parse(paced.output)).segment_bytes, 8192U);
    const auto small = run_alltold({"show", "alltoall.paced", "-n", "12", "-m", "64", "--json"});
    EXPECT_EQ(shown(json::parse(small.output)).window, 0) << "64 bytes fit anywhere";
    const auto chain = run_alltold({"show", "bcast.chain_segmented", "-n", "3"});
    EXPECT_TRUE(chain.output.starts_with(
        "bcast.chain_segmented, 3 ranks, 64 KiB per block, segments of 8 KiB: 16 messages"))
        << chain.output << chain.errors;
}

TEST(Show, has_the_parameters_that_resolve_finds) {
    const test::Scratch scratch;
    const auto file = (scratch / "net.json").string();
    Random random(2026);
    int compared = 0;
    for (int i = 0; i < 8; ++i) {
        auto profile = *load_profile("@gigabit-ethernet-2007");
        profile.network = test::random_network(random);
        ASSERT_TRUE(save_profile(profile, file));
        const auto known = load_profile(file);
        auto call = test::random_call(random);
        call.size_bytes %= 16384; // or the schedules would be too long
        for (const auto* algorithm : registry())
            for (const bool has_profile : {false, true}) {
                const auto expected = resolve(call, has_profile ? &known->network : nullptr,
                                              {.choice = Choice{algorithm}});
                if (!expected)
                    continue;
                std::vector<std::string> words{"show", std::string(algorithm->name), "--clusters",
                                               call.clusters.text(), "--json"};
                if (traits_of(call.collective).has_data)
                    words.insert(words.end(), {"-m", std::to_string(call.size_bytes)});
                if (has_profile)
                    words.insert(words.end(), {"--profile", file});
                const auto run = run_alltold(words);
                if (run.errors.find("are the most to show") != std::string::npos)
                    continue;
                const auto what = test::text_of(call) + text_of(*expected);
                ASSERT_EQ(run.exit_status, 0) << what << run.errors;
                EXPECT_EQ((Choice{algorithm, shown(json::parse(run.output))}), *expected) << what;
                ++compared;
            }
    }
    EXPECT_GT(compared, 30);
}

TEST(Show, counts_messages_between_clusters) {
    const auto run = run_alltold({"show", "alltoall.lg", "--clusters", "3+7", "--json"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_EQ(json::parse(run.output).at("inter_cluster_messages"), 14);
}

TEST(Show, draws_every_message_with_its_blocks) {
    const auto run = run_alltold({"show", "alltoall.lg", "--clusters", "3+7", "--svg"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(run.output.starts_with("<svg "));
    EXPECT_TRUE(run.output.ends_with("</svg>\n"));
    const auto count = [&](const std::string& words) {
        std::size_t found = 0;
        for (auto at = run.output.find(words); at != std::string::npos;
             at = run.output.find(words, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("<title>"), 90U);
    EXPECT_EQ(count("<polygon class=\"inter\""), 14U);
    EXPECT_EQ(count(": 6..9-&gt;2 (256 KiB)</title>"), 1U); // the group of three and the leftover
}

TEST(ScheduleSubcommands, refuse_in_one_line) {
    struct Refusal {
        std::vector<std::string> arguments;
        std::string says;
    };
    const Refusal refusals[] = {
        {{"show", "alltoall.lgg", "-n", "4"},
         "unknown algorithm 'alltoall.lgg'; closest: "
         "alltoall.lg"},
        {{"show", "bcast.chain", "-n", "8", "--window", "3"}, "bcast.chain takes no window"},
        {{"show", "gather.windowed", "-n", "8", "--window", "0"}, "--window 0: must be at least"},
        {{"show", "alltoall.lg", "-n", "8"},
         "alltoall.lg needs several clusters, such as --clusters 3+7"},
        {{"show", "bcast.flat", "-n", "8", "--root", "8"}, "--root 8: must be a rank from 0 to 7"},
        {{"show", "bcast.flat", "-n", "8", "--root", "-1"},
         "--root -1: must be a rank from 0 to 7"},
        {{"show", "alltoall.direct", "-n", "8", "--root", "0"},
         "--root: alltoall has no root; leave it out"},
        {{"show", "bcast.chain", "-n", "3", "--profile", "none.json"}, "none.json: no such file"},
        {{"show", "bcast.flat_segmented", "-n", "3", "--segment", "0"}, "--segment 0"},
        {{"show", "bcast.flat"}, "-n or --clusters is missing"},
        {{"show", "bcast.flat", "-n", "0"}, "-n 0: must be at least 1"},
        {{"show", "bcast.flat", "-n", "4", "--clusters", "3+2"}, "-n 4 contradicts the 5 ranks"},
        {{"show"}, "algorithm is required"},
        {{"show", "lg", "-n", "3"}, "closest: alltoall.lg"},
    };
    for (const auto& [arguments, says] : refusals) {
        const auto run = run_alltold(arguments);
        EXPECT_EQ(run.exit_status, 2) << says;
        EXPECT_EQ(run.output, "");
        EXPECT_NE(run.errors.find(says), std::string::npos) << run.errors;
        EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
    }
}

} // namespace
} // namespace alltold

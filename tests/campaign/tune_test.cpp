// SPDX-License-Identifier: BSD-3-Clause
// A whole tuning on ranks of this machine: measure, eliminate, resume, and run by the rules.
#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../lab/run.hpp"
#include "../scratch.hpp"
#include "predict/rules/choice_table.hpp"
#include "predict/rules/rule.hpp"

namespace alltold {
namespace {

using lab_tests::run_shell;
using nlohmann::json;

/// The output, or if it fails also the errors.
lab_tests::Ran on_ranks(int ranks, const std::string& words) {
    return run_shell(fmt::format("errors=$(mktemp); timeout 60 {} {} {} {} 2>$errors; status=$?; "
                                 "[ $status -eq 0 ] || cat $errors; rm $errors; exit $status",
                                 LAUNCH, ranks, ALLTOLD_BINARY, words));
}

json report_of(const lab_tests::Ran& ran) {
    return json::parse(ran.out.substr(std::min(ran.out.find('{'), ran.out.size())));
}

TEST(Tune, EliminatesResumesAndIsRunByItsRules) {
    const test::Scratch scratch;
    const auto store = (scratch / "net.db").string();
    const auto profile = (scratch / "net.json").string();
    ASSERT_EQ(on_ranks(3, "measure " + store + " --only p2p,plogp --budget 3s").status, 0);
    const auto words = "tune " + store + " -o " + profile +
                       " --budget 20s -m 8,4KiB -n 3 --collective "
                       "bcast,alltoall --json";
    const auto first = on_ranks(3, words);
    ASSERT_EQ(first.status, 0) << first.out;
    const auto tuned = report_of(first);
    ASSERT_EQ(tuned["calls"].size(), 4U);
    EXPECT_GT(tuned["timings"], 0);
    for (const auto& call : tuned["calls"]) {
        EXPECT_TRUE(call["chosen"].is_string()) << call;
        EXPECT_EQ(call["candidates"][0]["choice"], "mpi");
        EXPECT_FALSE(call["candidates"][0]["times_s"].empty());
        EXPECT_GT(call["candidates"][0]["time_s"]["value"], 0);
    }
    std::string rules;
    for (const auto& rule : tuned["rules"])
        rules += rule.get<std::string>() + "\n";
    EXPECT_TRUE(parse_rules(rules, "profile")) << rules;

    const auto again = on_ranks(3, words);
    ASSERT_EQ(again.status, 0) << again.out;
    // The first run's times count; how many the second one takes depends on noise.
    const auto resumed = report_of(again)["calls"];
    ASSERT_EQ(resumed.size(), tuned["calls"].size());
    for (std::size_t i = 0; i < resumed.size(); ++i)
        EXPECT_GE(resumed[i]["candidates"][0]["times_s"].size(),
                  tuned["calls"][i]["candidates"][0]["times_s"].size());

    const auto ran = on_ranks(3, "run bcast --algorithm auto -m 8 --repetitions 1 --json "
                                 "--profile " +
                                     profile);
    ASSERT_EQ(ran.status, 0) << ran.out;
    const auto results = report_of(ran)["results"];
    ASSERT_EQ(results.size(), 2U);
    const auto& by_rules = results[0]["auto"] ? results[0] : results[1];
    rules.clear();
    const auto report = report_of(again);
    for (const auto& rule : report["rules"])
        rules += rule.get<std::string>() + "\n";
    const auto read = parse_rules(rules, "profile");
    ASSERT_TRUE(read) << rules;
    const auto* rule = first_rule({&*read, 1}, Collective::bcast, 8, {3, 1});
    ASSERT_TRUE(rule) << rules;
    constexpr std::array after{StartMode::silence};
    const auto chosen = text_of(rule->choice_after(after));
    EXPECT_EQ(by_rules["algorithm"], chosen.substr(0, chosen.find(' ')));
}

TEST(Tune, BadInputIsTwo) {
    for (const auto* words :
         {"tune none.db -o x.json", "tune",
          "tune x.db -o x.json --collective bcats",
          "tune x.db -o x.json --budget 0s", "run bcast --algorithm auto -m 8",
          "measure alltoall --only p2p --budget 1s"}) {
        const auto ran = on_ranks(2, words);
        EXPECT_EQ(ran.status, 2) << words << "\n" << ran.out;
    }
}

} // namespace
} // namespace alltold

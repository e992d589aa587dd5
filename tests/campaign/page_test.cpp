// SPDX-License-Identifier: BSD-3-Clause
// The page says what was measured, what was predicted, and how far from the lower bound it all was.
#include "campaign/study/results.hpp"

#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "campaign/study/verdict.hpp"
#include "predict/choice/rank.hpp"

using namespace alltold;
using namespace alltold::campaign;

namespace {

ValidatedPoint point(int n, std::uint64_t size_bytes, double measured_s, double bound_s) {
    ValidatedPoint made{.clusters = Clusters({n}),
                        .size_bytes = size_bytes,
                        .repetitions = 9,
                        .measured_s = {measured_s, measured_s, measured_s},
                        .predicted = {},
                        .fitted = false};
    made.predicted.time_s = Estimate::exact(measured_s);
    made.predicted.bound_s = bound_s;
    return made;
}

} // namespace

TEST(StudyPage, IsAsWideAsATerminal) {
    Profile profile;
    profile.name = "study";
    profile.provenance.clusters = Clusters({3, 1, 4, 6});
    for (int i = 0; i < 40; ++i)
        profile.refused.push_back(
            {"alltoall", fmt::format("{} points left out, for they say little", i)});
    profile.rules = {"alltoall:14054-14492:n=9-13:clusters=3:per-host=1 = alltoall.paced"};
    Validation validation;
    validation.points = {point(14, 1024, 3e-3, 1e-3), point(14, 65536, 1.1e-1, 1e-1)};
    std::vector<ChosenCall> choices;
    for (const auto collective : studied_collectives)
        choices.push_back(
            {.collective = collective,
             .clusters = Clusters({3, 1, 4, 6}),
             .size_bytes = 32768,
             .algorithm = "alltoall.paced segment=1400 window=16 inter_cluster_window=16",
             .bound_s = 1e-200,
             .timed = ChosenTimes{{0.4, 0.3, 0.5}, {0.066, 0.060, 0.070}},
             .second = ChosenTimes{{0.11, 0.1, 0.12}, {0.22, 0.2, 0.25}}});
    std::istringstream page(study_page("a heading", profile, validation, "built with care\n",
                                       choices, StartMode::silence,
                                       {"beware " + std::string(90, 'x')}));
    for (std::string line; std::getline(page, line);)
        EXPECT_LE(line.size(), 100U) << line;
}

TEST(StudyPage, HasItsPartsAndWarnings) {
    Profile profile;
    profile.name = "study";
    profile.refused = {{"alltoall", "fewer than four sizes"}};
    Validation validation;
    validation.points = {point(4, 1024, 3e-3, 1e-3)};
    profile.rules = {"bcast:any = mpi"};
    const std::vector<ChosenCall> choices{
        {.collective = Collective::bcast,
         .clusters = Clusters({12}),
         .size_bytes = 32768,
         .algorithm = "bcast.chain_segmented segment=1400",
         .bound_s = 5e-3,
         .timed = ChosenTimes{{6e-3, 6e-3, 6e-3}, {66e-3, 60e-3, 70e-3}}},
        {.collective = Collective::alltoall,
         .clusters = Clusters({12}),
         .size_bytes = 32768,
         .algorithm = "alltoall.paced",
         .bound_s = 0.1,
         .second = ChosenTimes{{0.11, 0.11, 0.11}, {0.22, 0.22, 0.22}}}};
    const auto page = study_page("a heading", profile, validation, "built with care\n", choices,
                                 StartMode::silence, {"beware"}, "export A=1\n");
    for (const char* part :
         {"a heading\n=========\n", "warning: beware", "1. The network", "built with care",
          "fewer than four sizes", "2. Calls that were predicted first", "3. What to run",
          "the profile's rules choose (alltold rules prints all 1)", "chain_segmented, 1400 B",
          "11.00x     1.20", "MPI after barrier", "220 ms (2.00x)",
          "\n4. Settings of the MPI library\n\nexport A=1\n"})
        EXPECT_NE(page.find(part), std::string::npos) << part << " is not in\n" << page;
}

TEST(StudyChoices, AreOfTheRulesAndTakeTimesOfTheirOwnCall) {
    Profile profile;
    profile.provenance.clusters = Clusters({12});
    profile.rules = {"bcast:-64KiB = bcast.binary", "bcast:64KiB- = bcast.flat",
                     "gather:any = mpi"};
    const std::vector<std::uint64_t> sizes{32768};
    auto calls = chosen_calls(profile, Clusters({12}), sizes, StartMode::silence);
    ASSERT_EQ(calls.size(), 7U);
    EXPECT_EQ(calls[0].algorithm, "bcast.binary");
    EXPECT_EQ(calls[1].algorithm, "mpi") << "no rule";
    const auto samples = [](const char* algorithm, std::uint64_t size_bytes, double time_s) {
        return PointSamples{{"bcast", algorithm, Clusters({12}), size_bytes},
                            {{0, 9., true, 0}, {1, time_s, false, 0}, {2, time_s, false, 0}}};
    };
    const auto add = [&](const std::vector<PointSamples>& measured) {
        add_times(calls, measured, StartMode::silence);
    };
    add({samples("bcast.binary", 32768, 1.), samples("mpi", 65536, 2.)});
    EXPECT_FALSE(calls[0].timed) << "the library's own is of another size";
    add({samples("bcast.binary", 32768, 1.), samples("mpi", 32768, 3.)});
    ASSERT_TRUE(calls[0].timed);
    EXPECT_EQ(calls[0].timed->chosen_s.value, 1);
    EXPECT_EQ(calls[0].timed->library_s.value, 3);
    EXPECT_FALSE(calls[2].timed);
}

TEST(StudyChoices, AreOfTheOtherStartWhereTheLibrarysOwnRunsFromTheUsualOne) {
    const Clusters hosts({12});
    Profile profile;
    profile.provenance.clusters = hosts;
    profile.rules = {"alltoall:-32KiB = mpi | alltoall.pairwise barrier=0.5",
                     "alltoall:64KiB- = alltoall.paced",
                     "bcast:any = mpi | bcast.binary barrier=0.5"};
    const std::vector<std::uint64_t> sizes{1024, 32768, 65536};
    const std::vector<Collective> collectives{Collective::alltoall, Collective::bcast};
    auto calls = chosen_calls(profile, hosts, sizes, StartMode::silence, collectives);
    ASSERT_EQ(calls.size(), 6U);
    EXPECT_EQ(calls[0].algorithm, "mpi");
    EXPECT_EQ(calls[0].second_algorithm, "alltoall.pairwise");
    EXPECT_EQ(calls[1].second_algorithm, "") << "no rule";
    EXPECT_TRUE(calls[2].algorithm.starts_with("alltoall.paced")) << calls[2].algorithm;
    EXPECT_EQ(calls[2].second_algorithm, "") << "the rule is for any start";
    EXPECT_EQ(calls[3].second_algorithm, "") << "only all-to-alls are timed from two starts";
    EXPECT_EQ(chosen_calls(profile, hosts, sizes, StartMode::barrier)[2].second_algorithm, "");

    const auto add = [&](double ours_s) {
        const auto samples = [&](const char* algorithm, double time_s) {
            return PointSamples{{"barrier:alltoall", algorithm, hosts, 1024},
                                {{0, time_s, false, 0}}};
        };
        add_times(calls, std::vector{samples("alltoall.pairwise", ours_s), samples("mpi", 2)},
                  StartMode::silence);
    };
    const char* const faster = "After a barrier, alltold's algorithms are faster and run for: "
                               "alltoall of 1 KiB (pairwise, 2.00x).";
    add(1);
    EXPECT_NE(verdict_table(calls, StartMode::silence, 40).find(faster), std::string::npos)
        << verdict_table(calls, StartMode::silence, 40);
    EXPECT_EQ(choices_to_json(calls)[0]["second_start_chosen"], "alltoall.pairwise");
    add(2);
    EXPECT_EQ(verdict_table(calls, StartMode::silence, 40).find("After a barrier, "),
              std::string::npos);
}

TEST(StudyChoices, SayWhatProgramsTryInLoops) {
    const Clusters hosts({12});
    Profile profile;
    profile.provenance.clusters = hosts;
    profile.rules = {"bcast:-32KiB = mpi | bcast.circulant segment=1400 silence=0.8 loop=1.03 | "
                     "bcast.chain loop=0.5",
                     "bcast:32KiB- = bcast.circulant segment=1400 silence=0.4 loop=0.8",
                     "reduce:any = mpi | reduce.chain_segmented segment=1400 loop=0.99"};
    const std::vector<std::uint64_t> sizes{1024, 32768};
    const std::vector<Collective> collectives{Collective::bcast, Collective::reduce};
    const auto calls = chosen_calls(profile, hosts, sizes, StartMode::silence, collectives);
    ASSERT_EQ(calls.size(), 4U);
    EXPECT_EQ(calls[0].loop_algorithm, "bcast.chain");
    EXPECT_EQ(calls[0].loop_gain, 2);
    EXPECT_EQ(calls[1].loop_gain, 1.25) << "what runs anyway";
    EXPECT_EQ(calls[2].loop_algorithm, "") << "not worth it";
    const auto text = verdict_table(calls, StartMode::silence, 40);
    EXPECT_NE(text.find("bcast up to 2.00x (chain, 1 KiB)."), std::string::npos) << text;
    EXPECT_EQ(choices_to_json(calls)[0]["loop_tried"], "bcast.chain");
    EXPECT_FALSE(choices_to_json(calls)[2].contains("loop_tried"));
}

TEST(StudyChoices, AreDecidedOneByOneBeforeThereAreRules) {
    const Clusters hosts({6});
    Network network;
    network.links = LinkNetwork{{6e6, 100e-6, 0}, {}, 20e-6};
    for (const std::uint64_t m : {4096, 16384}) {
        const double ours_s =
            rank(network, Collective::bcast, hosts, m)->candidates.front().time_s.value;
        const double time_s = (m > 4096 ? 3 : 1) * ours_s;
        network.library.push_back({Collective::bcast, hosts, m, {time_s, time_s, time_s}});
    }
    const std::vector<std::uint64_t> sizes{4096, 16384};
    const std::vector<Collective> collectives{Collective::bcast, Collective::gather};
    const auto calls = decided_calls(network, StartMode::silence, hosts, sizes, collectives);
    ASSERT_EQ(calls.size(), 4U);
    EXPECT_EQ(calls[0].algorithm, "mpi") << "no quicker";
    EXPECT_TRUE(calls[1].algorithm.starts_with("bcast.")) << calls[1].algorithm;
    EXPECT_GT(calls[1].bound_s, 0);
    EXPECT_EQ(calls[2].algorithm, "mpi") << "the library's own was not measured";
    EXPECT_EQ(calls[3].name(), "gather");
}

TEST(StudyChoices, KeepTheTwoStartsApart) {
    std::vector<ChosenCall> calls{
        {.collective = Collective::alltoall, .clusters = Clusters({4}), .size_bytes = 1024}};
    const PointSamples after_a_barrier{{"barrier:alltoall", "mpi", Clusters({4}), 1024},
                                       {{0, 2., false, 0}}};
    add_times(calls, std::vector{after_a_barrier}, StartMode::silence);
    EXPECT_FALSE(calls[0].timed);
    ASSERT_TRUE(calls[0].second);
    EXPECT_EQ(calls[0].second->library_s.value, 2);
    add_times(calls, std::vector{after_a_barrier}, StartMode::barrier);
    EXPECT_FALSE(calls[0].second);
}

TEST(StudyChoices, LeaveParametersOpenThatWereMeasured) {
    const auto timed_by = [](const char* chosen, const char* measured) {
        std::vector<ChosenCall> calls{{.collective = Collective::alltoall,
                                       .clusters = Clusters({12}),
                                       .size_bytes = 32768,
                                       .algorithm = chosen}};
        std::vector<PointSamples> all;
        for (const char* algorithm : {measured, "mpi"})
            all.push_back({{"alltoall", algorithm, Clusters({12}), 32768}, {{0, 1., false, 0}}});
        add_times(calls, all, StartMode::silence);
        return calls[0].timed.has_value();
    };
    EXPECT_TRUE(timed_by("alltoall.paced segment=5600 window=8",
                         "alltoall.paced segment=5600 window=8 inter_cluster_window=4"));
    EXPECT_FALSE(timed_by("alltoall.paced segment=5600 window=8",
                          "alltoall.paced segment=4KiB window=16 inter_cluster_window=4"));
    EXPECT_FALSE(timed_by("alltoall.pairwise", "alltoall.rotated"));
}

namespace {

/// An all-to-all for which the rules choose ours, timed so many times as fast as the library's own.
ChosenCall gaining(double gain) {
    return {.collective = Collective::alltoall,
            .clusters = Clusters({12}),
            .size_bytes = 1024,
            .algorithm = "alltoall.rotated window=4",
            .bound_s = 2e-3,
            .timed = ChosenTimes{{3e-3, 3e-3, 3e-3}, {gain * 3e-3, gain * 3e-3, gain * 3e-3}}};
}

} // namespace

TEST(StudyChoices, DoNotRecommendWhatIsNotFaster) {
    const std::vector<ChosenCall> none{gaining(0.98)}, lost{gaining(0.9)}, some{gaining(1.1)};
    const auto tie = verdict_table(none, StartMode::silence);
    EXPECT_NE(tie.find("tie"), std::string::npos) << tie;
    EXPECT_EQ(tie.find("0.98x"), std::string::npos) << tie;
    EXPECT_EQ(best_of(none), nullptr);
    EXPECT_EQ(losses_text(none, 1), "");
    EXPECT_NE(losses_text(lost, 0).find("1 more"), std::string::npos);
    const auto loss = verdict_table(lost, StartMode::silence);
    EXPECT_NE(loss.find("1 KiB  mpi  2.7 ms"), std::string::npos) << loss;
    EXPECT_NE(loss.find("rotated, window 4 for alltoall of 1 KiB"), std::string::npos) << loss;
    EXPECT_EQ(best_of(some), &some.front());
}

TEST(StudyChoices, SayWhatWasNotMeasured) {
    Profile profile;
    profile.network.links = LinkNetwork{{6e6, 1e-4, 65536}, std::nullopt};
    std::vector<ChosenCall> calls{gaining(2), gaining(2)};
    for (auto& call : calls)
        call.timed.reset();
    calls.back().algorithm = "mpi";
    const std::vector<PointSamples> library{
        {{"alltoall", "mpi", Clusters({12}), 1024}, {{0, 4e-3, false, 0}}}};
    add_times(calls, library, StartMode::silence);
    add_predictions(calls, profile.network);
    ASSERT_TRUE(calls[0].untimed_s);
    EXPECT_EQ(gain_text(calls[0]), "predicted");
    EXPECT_NE(time_text(calls[0]), "-");
    EXPECT_EQ(library_time_text(calls[0]), "4 ms") << "measured";
    EXPECT_EQ(best_of(calls), nullptr);
    calls[0].untimed_s = {1.3, 0.0875, 19.8};
    EXPECT_EQ(time_text(calls[0]), "not known") << "the prediction says nothing";
    EXPECT_EQ(gain_text(calls[0]), "not known");
    EXPECT_EQ(over_bound_text(calls[0]), "-");
    add_times(calls, {}, StartMode::silence);
    add_predictions(calls, Network());
    EXPECT_EQ(gain_text(calls[0]), "not known");
    EXPECT_EQ(time_text(calls[0]), "-");
}

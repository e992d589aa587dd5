// SPDX-License-Identifier: BSD-3-Clause
// What a study says first fits a terminal and says what a number rests on.
#include "campaign/study/verdict.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

using namespace alltold;
using namespace alltold::campaign;

namespace {

constexpr const char* heading =
    "alltold study: 14 hosts (3+1+4+6), Open MPI v4.1.4, 2026-11-22 07:36";

Profile some_profile() {
    Profile profile;
    profile.network.links =
        LinkNetwork{.port = {2.587e6, 93e-6, 0}, .backbone = Link{5e6, 0.0138, 0}};
    profile.network.links->backbone->at_least = true;
    profile.refused = {{"switch buffer", "floods lost too little: the senders do not fill the "
                                         "queue"},
                       {"backbone queue", "floods of up to 1 s or 16 MiB a host lost too little: "
                                          "the senders do not fill the queue"}};
    return profile;
}

/// Every call that a study reports, with the longest names there are.
std::vector<ChosenCall> some_choices() {
    std::vector<ChosenCall> calls;
    for (const auto collective : studied_collectives)
        for (const std::uint64_t size_bytes : {1024, 4096, 16384, 65536, 262144}) {
            auto& call = calls.emplace_back();
            call.collective = collective;
            call.clusters = Clusters({3, 1, 4, 6});
            call.size_bytes = size_bytes;
            call.bound_s = 0.1;
            if (collective == Collective::bcast) {
                call.algorithm = "bcast.binomial_segmented segment=15400";
                call.timed = {{0.0998, 0.0998, 0.0998}, {0.5, 0.5, 0.5}};
            }
            if (collective == Collective::alltoall) {
                call.algorithm = "alltoall.paced segment=1400 window=16 inter_cluster_window=16";
                call.timed = {{0.11, 0.11, 0.11}, {0.12, 0.12, 0.12}};
                call.second = {{0.11, 0.11, 0.11}, {0.231, 0.231, 0.231}};
            }
        }
    return calls;
}

std::string verdict_of(const Profile& profile, const std::vector<ChosenCall>& choices) {
    Validation validation;
    validation.held_out.points = 64;
    StudyOptions options;
    options.folder = "alltold-study";
    options.command = "./alltold";
    options.advice = "export A_SETTING=1\n";
    return study_verdict(heading, profile, validation, {41, 56, 0.1}, choices,
                         {"not known: " + std::string(200, 'x')}, options);
}

TEST(StudyVerdict, FitsATerminal) {
    std::istringstream text(verdict_of(some_profile(), some_choices()));
    int lines = 0;
    for (std::string line; std::getline(text, line); ++lines) {
        if (line.find("xxx") == line.npos) {
            EXPECT_LE(line.size(), 100U) << line;
        }
    }
    constexpr int of_the_charts = 1;
    EXPECT_LE(lines + of_the_charts, 40);
}

TEST(StudyVerdict, FitsATerminalHoweverMuchIsGained) {
    auto calls = some_choices();
    std::size_t gaining = 0;
    for (auto& call : calls)
        if (gaining++ < 20) {
            call.algorithm = "alltoall.paced segment=1400 window=16 inter_cluster_window=16";
            const double factor = 1 + 0.01 * static_cast<double>(gaining);
            call.timed = {{0.11, 0.11, 0.11}, {0.5 * factor, 0.5, 0.5}};
            call.second = {{0.11, 0.11, 0.11}, {0.231, 0.231, 0.231}};
        } else {
            call.algorithm = "bcast.binomial"; // and all others lose
            call.timed = {{0.5, 0.5, 0.5}, {0.1, 0.1, 0.1}};
        }
    const auto text = verdict_of(some_profile(), calls);
    const auto lines = std::ranges::count(text, '\n');
    constexpr int of_the_charts = 1;
    EXPECT_LE(lines + of_the_charts, 40) << text;
    EXPECT_NE(text.find(" more: --verbose\n"), std::string::npos) << text;
    EXPECT_NE(text.find(calls[19].name() + "  "), std::string::npos) << "the greatest gain\n"
                                                                     << text;
}

TEST(StudyVerdict, HasNoRatiosOfManyDigits) {
    std::vector<ChosenCall> calls(1);
    calls.front().algorithm = "bcast.chain";
    calls.front().clusters = Clusters({4});
    calls.front().bound_s = 1e-200;
    calls.front().timed = {{1e-9, 1e-9, 1e-9}, {1e12, 1e12, 1e12}};
    const auto text = verdict_of({}, calls);
    EXPECT_NE(text.find("over 1000 times as fast"), std::string::npos) << text;
    EXPECT_NE(text.find("over 1000x"), std::string::npos) << text;
    std::istringstream words(text);
    for (std::string word; words >> word;)
        if (word.find_first_of("0123456789") != word.npos &&
            word.find_first_not_of("0123456789.x") == word.npos) {
            EXPECT_LE(word.size(), 12U) << word;
        }
}

TEST(StudyVerdict, SaysWhatIsGainedAndWhatIsNotKnown) {
    const auto text = verdict_of(some_profile(), some_choices());
    for (const char* part :
         {"bcast of 1 KiB on 14 hosts (3+1+4+6) takes 99.8 ms with alltold's binomial_segmented "
          "algorithm",
          "5.0 times as fast", "carries 20.7 Mbit/s",
          "switch port buffers an unknown amount (floods\nlost too little: ",
          "carry at least 40 Mbit/s, add 13.8 ms one way and queue an unknown amount\n(floods of "
          "up",
          "41 of 56 predictions are as precise as asked, within 10 %.\n",
          "Of 64 calls predicted before", "231 ms (2.10x)", "MPI after barrier",
          "The MPI library's own choice runs, or is as fast, for: scatter of 1 KiB, 4 KiB, 16 KiB",
          "Last column: the MPI library after a barrier",
          "Use it: mpirun -n 14 ./alltold exec --profile alltold-study/profile.json -- PROGRAM\n"
          "Or let all programs on such hosts find it: ./alltold site init ~/.config/alltold "
          "alltold-study\n"
          "Why: ./alltold rank alltold-study/profile.json bcast --clusters 3+1+4+6 -m 1KiB --why",
          "./alltold rules alltold-study/profile.json", "\n\nexport A_SETTING=1\n\n", "page.txt"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
    EXPECT_EQ(text.find("0.99"), std::string::npos) << "nothing is faster than the lower bound";
}

TEST(StudyVerdict, NamesTheCommandThatTriesSettings) {
    auto profile = some_profile();
    profile.provenance.mpi_library = "Open MPI v4.1.4";
    const std::string line = "Try settings of the MPI library: alltold settings bcast -m 1KiB "
                             "-- mpirun -n 14\n";
    const auto choices = some_choices();
    StudyOptions options;
    const auto verdict = [&] {
        return study_verdict(heading, profile, {}, {}, choices, {}, options);
    };
    EXPECT_NE(verdict().find(line), std::string::npos) << verdict();
    options.advice = "export A_SETTING=1\n";
    EXPECT_EQ(verdict().find(line), std::string::npos) << "it is known";
    options.advice.clear();
    options.truth_file = "truth.json";
    EXPECT_EQ(verdict().find(line), std::string::npos) << "a lab is gone by then";
}

TEST(StudyVerdict, PromisesNothingWithoutTimes) {
    std::vector<ChosenCall> calls(1);
    calls.front().algorithm = "bcast.chain";
    const auto text = verdict_of({}, calls);
    EXPECT_NE(text.find("no algorithm was found to be faster"), std::string::npos) << text;
    EXPECT_EQ(text.find("Each host link"), std::string::npos);
}

TEST(StudyVerdict, WarnsOfBusyHosts) {
    EXPECT_FALSE(late_warning(10, 0.1, 90));
    EXPECT_EQ(late_warning(20, 0.587, 80).value_or(""),
              "20 of 100 repetitions began up to 587 ms late and were taken again: the hosts were "
              "busy, and times may be too long");
}

} // namespace

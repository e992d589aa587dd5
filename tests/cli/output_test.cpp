// SPDX-License-Identifier: BSD-3-Clause
// Output that cannot be written is an error, and a bad command line is one whatever launched it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "../scratch.hpp"
#include "program.hpp"

namespace alltold::test {
namespace {

int status_of(const std::string& arguments) {
    const int status = std::system((ALLTOLD_PROGRAM " " + arguments + " 2>/dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What is said on standard error.
std::string said_by(const std::string& script) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
        ::popen(("exec 2>&1 >/dev/null; " + script).c_str(), "r"), ::pclose);
    std::string text;
    for (int character; (character = std::fgetc(pipe.get())) != EOF;)
        text += static_cast<char>(character);
    return text;
}

TEST(Output, ThatIsLongIsNotLostEither) {
    const Scratch folder;
    const auto samples = (folder / "samples").string();
    for (const std::string& line :
         {std::string("list"),
          std::string("rank @gigabit-ethernet-2007 bcast -n 24 -m 1MiB --json"),
          fmt::format("diff {0} {0}", GOLDEN_STORE), fmt::format("export csv {}", GOLDEN_STORE)}) {
        const auto command = std::string(ALLTOLD_PROGRAM) + " " + line;
        EXPECT_EQ(said_by(command + " >/dev/full"),
                  "alltold: standard output: cannot write it: No space left on device\n")
            << line;
        EXPECT_EQ(said_by(command + " >&-"),
                  "alltold: standard output: cannot write it: Bad file descriptor\n")
            << line;
        EXPECT_EQ(status_of(line + " >/dev/full"), 3) << line;
        // A reader that goes away is fine, also where the signal is ignored.
        EXPECT_EQ(said_by(fmt::format("trap '' PIPE; ({}; echo status $? >&2) | true", command)),
                  "status 0\n")
            << line;
    }
}

TEST(Output, ThatNobodySeesEndsNothing) {
    for (const char* where : {"2>/dev/full", "2>&-"})
        for (const char* line : {"predict none.json bcast -n 2 -m 1", "predict --no-such", ""}) {
            const int status =
                std::system(fmt::format("{} {} {}", ALLTOLD_PROGRAM, line, where).c_str());
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << line << where << status;
        }
    // What is said must not go into the first file that is opened instead.
    const Scratch folder;
    std::ofstream(folder / "osu.txt")
        << "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n8         1.0\n"
           "# OSU MPI Multi Latency Test v7.4\n# Size       Avg Latency(us)\n";
    const auto store = (folder / "net.db").string();
    EXPECT_EQ(std::system(fmt::format("{} import osu {} --clusters 4 -o {} >&- 2>&- <&-",
                                      ALLTOLD_PROGRAM, (folder / "osu.txt").string(), store)
                              .c_str()),
              3 << 8);
    EXPECT_EQ(run_alltold({"export", "csv", store}).exit_status, 0);
}

TEST(Output, ThatCannotBeWrittenIsToldBeforeTheWork) {
    const Scratch folder;
    std::ofstream(folder / "note.txt") << "mine\n";
    for (const auto& [line, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"report", GOLDEN_STORE, "-o", "note.txt", "--profile", "none.json"},
              "note.txt: exists and is not a page of alltold"},
             {{"fit", GOLDEN_STORE, "-o", std::string(250, 'x')},
              "the name of the file to write is too long"}}) {
        const auto run = run_alltold(line, folder.directory());
        EXPECT_EQ(run.exit_status, 2) << run.errors;
        EXPECT_NE(run.errors.find(said), std::string::npos) << run.errors;
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "new.html"));
}

/// A campaign of ping-pongs and all-to-alls of four hosts, three times each.
std::string small_campaign(const Scratch& folder) {
    const auto store = (folder / "net.db").string();
    std::ofstream trips(folder / "trips.txt"), exchanges(folder / "exchanges.txt");
    trips << "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n";
    exchanges << "# OSU MPI All-to-All Personalized Exchange Latency Test v7.4\n"
                 "# Size       Avg Latency(us)\n";
    for (int m = 1; m <= 1 << 18; m *= 2) {
        trips << fmt::format("{}  {:.2f}\n", m, 50 + m / 6.);
        exchanges << fmt::format("{}  {:.2f}\n", m, 3 * (50 + m / 6.));
    }
    trips.close();
    exchanges.close();
    EXPECT_EQ(run_alltold({"import", "osu", "trips.txt", "trips.txt", "trips.txt", "exchanges.txt",
                           "exchanges.txt", "exchanges.txt", "--clusters", "4", "-o", store},
                          folder.directory())
                  .exit_status,
              0);
    return store;
}

TEST(Output, IsNotLostWithoutAWord) {
    const Scratch folder;
    const auto store = small_campaign(folder);
    const auto profile = (folder / "net.json").string();
    for (const std::string& line :
         {std::string("--help"), std::string("list"),
          std::string("predict @gigabit-ethernet-2007 alltoall -n 4 -m 1KiB"),
          std::string("rules @gigabit-ethernet-2007"), fmt::format("fit {} -o {}", store, profile),
          fmt::format("validate {} {}", store, profile)}) {
        EXPECT_EQ(status_of(line + " >/dev/null"), 0) << line;
        for (const char* where : {" >/dev/full", " >&-"})
            EXPECT_EQ(status_of(line + where), 3) << line << where;
    }
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        longest = std::max(longest, line.size());
    return longest;
}

/// The subcommands that --help lists.
std::vector<std::string> subcommands() {
    std::vector<std::string> names;
    std::istringstream help(run_alltold({"--help"}).output);
    bool listed = false;
    for (std::string line; std::getline(help, line); listed = listed || line == "Subcommands:")
        if (listed && line.size() > 2 && line[2] != ' ')
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    return names;
}

TEST(Output, FitsAScreen) {
    std::vector<std::vector<std::string>> commands{
        {"--help"},
        {"export", "openmpi", "--help"},
        {"export", "simgrid", "--help"},
        {"lab", "status", "--help"},
        {"list"},
        {"rank", "@gigabit-ethernet-2007", "bcast", "-n", "24", "-m", "1MiB", "--why"},
        {"predict", "@gigabit-ethernet-2007", "bcast", "-n", "24,48", "-m", "1MiB"},
        {"rules", "@gigabit-ethernet-2007"}};
    EXPECT_GT(subcommands().size(), 12U);
    for (const auto& subcommand : subcommands())
        commands.push_back({subcommand, "--help"});
    for (const auto& arguments : commands) {
        const auto run = run_alltold(arguments);
        EXPECT_EQ(run.exit_status, 0) << arguments[0];
        EXPECT_NE(run.output, "") << arguments[0];
        EXPECT_LE(longest_line(run.output), 100U) << run.output;
    }
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{}, {"rulez"}, {"predict", "--no-such"}})
        EXPECT_LE(longest_line(run_alltold(arguments).errors), 100U);
}

TEST(Output, OfHelpSaysOnlyWhatIsTrueOfTheSubcommand) {
    for (const auto* further : {"status", "down", "counters"}) {
        const auto help = run_alltold({"lab", further, "--help"}).output;
        EXPECT_EQ(help.find("starts a shell"), std::string::npos) << help;
        EXPECT_NE(help.find(std::string("alltold lab ") + further), std::string::npos) << help;
    }
    const auto mpich = run_alltold({"export", "mpich", "--help"}).output;
    EXPECT_EQ(mpich.find("openmpi"), std::string::npos) << mpich;
}

TEST(Output, OfImportedCampaignsSaysNothingOfARunOrOfWhatIsNotKnown) {
    const Scratch folder;
    std::ofstream(folder / "osu.txt")
        << "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n8         1.0\n";
    for (const auto* ranks : {"4", "5"})
        ASSERT_EQ(run_alltold({"import", "osu", "osu.txt", "--clusters", ranks, "-o",
                               std::string(ranks) + ".db"},
                              folder.directory())
                      .exit_status,
                  0);
    const auto diff = run_alltold({"diff", "4.db", "5.db"}, folder.directory()).output;
    EXPECT_NE(diff.find("the first has 4 ranks, the second 5"), std::string::npos) << diff;
    EXPECT_EQ(diff.find("this run"), std::string::npos) << diff;
    EXPECT_LE(longest_line(diff), 100U) << diff;
    const auto fit = run_alltold({"fit", "4.db", "-o", "4.json"}, folder.directory()).output;
    EXPECT_NE(fit.find("clusters 4, given by --clusters\n"), std::string::npos) << fit;
}

/// What a terminal of so many columns shows.
std::string on_terminal(int columns, const std::string& arguments) {
    Scratch folder;
    const auto file = (folder / "screen").string();
    const auto line = fmt::format("script -qec 'stty cols {}; {} {}' {} >/dev/null 2>&1 </dev/null",
                                  columns, ALLTOLD_PROGRAM, arguments, file);
    EXPECT_EQ(std::system(line.c_str()), 0);
    std::ifstream stream(file);
    std::string text;
    for (std::string row; std::getline(stream, row);)
        if (!row.starts_with("Script "))
            text += row.substr(0, row.find('\r')) + "\n";
    return text;
}

TEST(Output, OfHelpIsAsWideAsTheTerminal) {
    const auto narrow = on_terminal(70, "tune --help");
    EXPECT_LE(longest_line(narrow), 70U) << narrow;
    EXPECT_NE(narrow.find("\\\n"), std::string::npos) << "the example goes on: " << narrow;
    EXPECT_GT(longest_line(on_terminal(200, "tune --help")), 80U);
    EXPECT_LE(longest_line(on_terminal(200, "tune --help")), 100U);
}

TEST(Output, SaysWhatIsWrongWhateverTheEnvironment) {
    std::vector<std::string> names{"predict", "exec"};
#ifdef ALLTOLD_WITH_MPI
    names.insert(names.end(), {"measure", "run", "tune", "study"});
#endif
    for (const auto* variable : {"SLURM_PROCID", "PMI_RANK", "OMPI_COMM_WORLD_RANK"}) {
        ::setenv(variable, "3", 1);
        for (const auto& name : names) {
            const auto run = run_alltold({name, "--no-such-option"});
            EXPECT_EQ(run.exit_status, 2) << variable << " " << name;
            EXPECT_NE(run.errors, "") << variable << " " << name;
        }
        ::unsetenv(variable);
    }
}

} // namespace
} // namespace alltold::test

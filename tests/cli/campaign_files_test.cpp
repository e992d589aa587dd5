// SPDX-License-Identifier: BSD-3-Clause
// From another benchmark's output to a campaign, to its page, and to a comparison of two.
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../scratch.hpp"
#include "program.hpp"

namespace alltold::test {
namespace {

/// Three runs of osu_latency and osu_alltoall, each time `factor` as long.
void write_osu(const Scratch& scratch, const std::string& name, double factor) {
    std::ofstream text(scratch / name);
    for (int run = 0; run < 3; ++run) {
        text << "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n";
        for (int size = 1; size <= 1 << 20; size *= 2)
            text << fmt::format("{:<10}{:18.2f}\n", size, factor * (50 + 0.08 * size + run));
        text << "# OSU MPI All-to-All Personalized Exchange Latency Test v7.4\n"
                "# Size       Avg Latency(us)\n";
        for (int size = 1; size <= 1 << 20; size *= 2)
            text << fmt::format("{:<10}{:18.2f}\n", size, factor * (150 + 0.5 * size + run));
    }
}

Run import(const Scratch& scratch, const std::string& name) {
    return run_alltold({"import", "osu", name + ".txt", "--clusters", "4", "-o", name + ".db"},
                       scratch.directory());
}

TEST(CampaignFiles, ImportedFiguresAreFittedShownAndCompared) {
    const Scratch scratch;
    write_osu(scratch, "before.txt", 1);
    write_osu(scratch, "after.txt", 1.3);
    const auto imported = import(scratch, "before");
    EXPECT_EQ(imported.output, "126 times imported into before.db\n") << imported.errors;
    EXPECT_EQ(import(scratch, "after").exit_status, 0);

    const auto page = run_alltold({"report", "before.db", "--json"}, scratch.directory());
    EXPECT_EQ(page.exit_status, 0) << page.errors;
    EXPECT_NE(page.output.find("\"signature-times\""), std::string::npos);

    const auto slower = run_alltold({"diff", "before.db", "after.db"}, scratch.directory());
    EXPECT_EQ(slower.exit_status, 1) << slower.errors;
    EXPECT_NE(slower.output.find("SLOWER"), std::string::npos) << slower.output;
    EXPECT_EQ(run_alltold({"diff", "after.db", "before.db"}, scratch.directory()).exit_status, 0);
    EXPECT_EQ(
        run_alltold({"diff", "before.db", "after.db", "--threshold", "40%"}, scratch.directory())
            .exit_status,
        0);
}

TEST(CampaignFiles, ThePageNamesTheProgramAsItWasCalled) {
    const Scratch scratch;
    write_osu(scratch, "net.txt", 1);
    ASSERT_EQ(import(scratch, "net").exit_status, 0);
    const auto next = [&] {
        const auto page = run_alltold({"report", "net.db", "--json"}, scratch.directory()).output;
        const auto from = page.find("\"next\": \"") + 9;
        return page.substr(from, page.find(" fit ", from) - from);
    };
    EXPECT_EQ(next(), "alltold");
    ::setenv("ALLTOLD_COMMAND", "./alltold", 1);
    EXPECT_EQ(next(), "./alltold");
    ::setenv("ALLTOLD_COMMAND", "./my alltold", 1);
    EXPECT_EQ(next(), "'./my alltold'");
    ::unsetenv("ALLTOLD_COMMAND");
}

TEST(CampaignFiles, AMalformedFileLeavesTheCampaignAsItWas) {
    const Scratch scratch;
    write_osu(scratch, "good.txt", 1);
    std::ofstream(scratch / "bad.txt") << "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n8 x\n";
    const auto run =
        run_alltold({"import", "osu", "good.txt", "bad.txt", "--clusters", "4", "-o", "net.db"},
                    scratch.directory());
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_NE(run.errors.find("bad.txt:"), std::string::npos) << run.errors;
    EXPECT_FALSE(std::filesystem::exists(scratch / "net.db"));
    EXPECT_EQ(
        run_alltold({"import", "xyz", "good.txt", "--clusters", "4", "-o", "net.db"},
                    scratch.directory())
            .errors,
        "alltold: xyz: no such file; expected the output of a benchmark, or one of the formats "
        "osu, imb, repro, skampi, pico, csv and auto\n");
}

TEST(CampaignFiles, NumbersOfRanksOfOneNetworkAreOneCampaign) {
    const Scratch scratch;
    std::ofstream(scratch / "latency.txt") << "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n"
                                              "8  1.5\nreal 0m1s\n";
    std::ofstream(scratch / "bcast.txt")
        << "# OSU MPI Broadcast Latency Test v7.4\n# Size  Avg Latency(us)\n8  2.5\n";
    const auto first =
        run_alltold({"import", "latency.txt", "4:bcast.txt", "-o", "net.db"}, scratch.directory());
    EXPECT_EQ(first.output, "2 times imported into net.db\n") << first.errors;
    EXPECT_EQ(first.errors,
              "alltold: 1 time is a mean over the ranks, as OSU prints without -f: the last rank "
              "takes longer\n"
              "alltold: 1 line belongs to no benchmark, the first latency.txt:4: 'real 0m1s'\n");
    const auto second =
        run_alltold({"import", "osu", "2x32:bcast.txt", "-o", "net.db"}, scratch.directory());
    EXPECT_EQ(second.exit_status, 0) << second.errors;
    EXPECT_EQ(run_alltold({"import", "auto", "bcast.txt", "--clusters", "16", "-o", "net.db"},
                          scratch.directory())
                  .exit_status,
              0);
    const auto csv = run_alltold({"export", "csv", "net.db"}, scratch.directory()).output;
    EXPECT_NE(csv.find("pingpong,mpi,2,8,0,32,"), std::string::npos) << csv;
    EXPECT_NE(csv.find("bcast,mpi,4,8,"), std::string::npos) << csv;
    EXPECT_NE(csv.find("bcast,mpi,2x32,8,"), std::string::npos) << csv;
    EXPECT_NE(csv.find("bcast,mpi,16,8,"), std::string::npos) << csv;
    std::ofstream(scratch / "net.csv") << csv;
    ASSERT_EQ(run_alltold({"import", "2x32/14:net.csv", "--start", "barrier", "-o", "again.db"},
                          scratch.directory())
                  .exit_status,
              0);
    EXPECT_EQ(run_alltold({"export", "csv", "again.db"}, scratch.directory()).output, csv);
}

} // namespace
} // namespace alltold::test

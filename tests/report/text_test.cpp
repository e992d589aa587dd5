// SPDX-License-Identifier: BSD-3-Clause
// Text fits a terminal and promises nothing that cannot be.
#include <array>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/units.hpp"
#include "report/algorithm_report.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "report/waiting.hpp"

namespace alltold {
namespace {

TEST(Format, OfAnEstimateWithoutAnUpperEndNamesNoInfinity) {
    EXPECT_EQ(format_estimate({34e6, 10e6, INFINITY}, format_rate),
              "34 Mbit/s (10 Mbit/s or more)");
    EXPECT_EQ(format_estimate({34e6, 10e6, 40e6}, format_rate), "34 Mbit/s (10 .. 40 Mbit/s)");
    EXPECT_EQ(format_estimate({34e6, 34e6, 34e6}, format_rate), "34 Mbit/s");
}

TEST(Wrapped, BreaksBetweenWords) {
    std::string words = "  first";
    for (int i = 0; i < 100; ++i)
        words += " word" + std::to_string(i);
    std::istringstream lines(wrapped(words, 4));
    std::string all;
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_LE(line.size(), page_columns);
        EXPECT_TRUE(line.starts_with(count == 0 ? "  first" : "    word")) << line;
        all += line.substr(count == 0 ? 0 : 3);
    }
    EXPECT_EQ(all, words);
    EXPECT_EQ(count, 8);
    EXPECT_EQ(wrapped(std::string(200, 'x')), std::string(200, 'x') + "\n");
    EXPECT_EQ(wrapped(""), "\n");
    const std::string filler(97, 'x');
    EXPECT_EQ(wrapped(filler + " 5 % more"), filler + "\n5 % more\n") << "no line starts with %";
}

TEST(Wrapped, KeepsUnitsWithTheirNumbers) {
    EXPECT_EQ(wrapped("bandwidth 98 %, latency", 0, 12), "bandwidth\n98 %,\nlatency\n");
    EXPECT_EQ(wrapped("takes 102 ms.", 0, 10), "takes\n102 ms.\n");
    EXPECT_EQ(wrapped("n = 4 ranks", 0, 6), "n = 4\nranks\n");
}

TEST(Wrapped, MarksLinesThatGoOn) {
    EXPECT_EQ(wrapped("mpirun -n 4 program", 2, 11, " \\"), "mpirun -n \\\n  4 program\n");
}

TEST(Format, NothingIsFasterThanItsBound) {
    EXPECT_EQ(format_over_bound(1.5, 1), "1.50");
    EXPECT_EQ(format_over_bound(0.99, 1), "1.00") << "rates are known to a few percent";
    EXPECT_EQ(format_over_bound(0.5, 1), "-") << "contradicts it";
    EXPECT_EQ(format_over_bound(0.5, 0), "-");
    EXPECT_EQ(format_over_bound(1e100, 1e-89), "over 1000");
}

TEST(Format, ATimeThatMayBeAnythingIsNotKnown) {
    EXPECT_EQ(format_predicted({1.3, 0.0875, 19.8}), "not known");
    EXPECT_EQ(format_predicted({1.3, 0.5, 4}), "1.3 s");
    EXPECT_EQ(format_predicted(Estimate::exact(1.3)), "1.3 s");
    EXPECT_EQ(format_predicted({1.3, 0, 4}), "not known");
    CallTime predicted;
    predicted.choice.algorithm = *find_algorithm("alltoall.pairwise");
    predicted.time_s = {1.3, 0.0875, 19.8};
    predicted.bound_s = 0.05;
    predicted.model = predicted.method = "links";
    const auto table = algorithm_table({{Clusters({8}), 65536, predicted}});
    EXPECT_NE(table.find("not known  87.5 ms .. 19.8 s  50 ms        -"), std::string::npos)
        << table;
    EXPECT_NE(table.find(not_known_legend), std::string::npos) << table;
    EXPECT_EQ(algorithms_to_json({{Clusters({8}), 65536, predicted}})[0]["time_s"]["value"], 1.3);
    const auto calls = prediction_table({{Clusters({8}), 65536, predicted}}, "interval");
    EXPECT_NE(calls.find("not known  87.5 ms .. 19.8 s"), std::string::npos) << calls;
    EXPECT_NE(calls.find(not_known_legend), std::string::npos) << calls;
    predicted.time_s = {1.3, 1, 2};
    EXPECT_EQ(algorithm_table({{Clusters({8}), 65536, predicted}}).find("not known"),
              std::string::npos);
}

TEST(Format, ChoicesAreShort) {
    const auto shortened = [](const char* text) { return short_text(*parse_choice(text)); };
    EXPECT_EQ(shortened("alltoall.paced segment=5600 window=3 inter_cluster_window=2"),
              "paced, 5600 B, window 3/2");
    EXPECT_EQ(shortened("bcast.binomial"), "binomial");
    EXPECT_EQ(shortened("mpi"), "mpi");
    EXPECT_EQ(basis_text("links", "simulated"), "links, simulated");
    EXPECT_EQ(basis_text("congestion", "congestion"), "congestion");
}

TEST(Format, WindowsAreThoseWithinAndBetweenClusters) {
    EXPECT_EQ(windows_text(0, 0), "-");
    EXPECT_EQ(windows_text(4, 0), "4");
    EXPECT_EQ(windows_text(4, 6), "4/6");
}

TEST(Legend, SaysEachTextOnce) {
    Legend legend;
    EXPECT_EQ(legend.mark("simulated"), "1");
    EXPECT_EQ(legend.mark("measured"), "2");
    EXPECT_EQ(legend.mark("simulated"), "1");
    EXPECT_EQ(legend.text("by"), "by 1: simulated\nby 2: measured\n");
}

TEST(TextTable, RowsOfAGroupAreIndented) {
    TextTable table;
    table.column("n");
    table.group("a heading that is longer than the columns");
    table.row({"12"});
    EXPECT_EQ(table.text(), "   n\n  --\na heading that is longer than the columns\n  12\n");
}

TEST(Waiting, CountsSecondsOnATerminalAndLeavesItsLineEmpty) {
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) { // ends what it waits for once its line was seen
        {
            const Waiting waiting("fitting net.db");
            char seen = 0;
            while (::read(STDIN_FILENO, &seen, 1) < 0) {
            }
        }
        ::_exit(0);
    }
    ASSERT_GT(child, 0);
    std::string text;
    bool told = false;
    std::array<char, 256> part{};
    constexpr int longest_ms = 20000;
    for (pollfd ready{terminal, POLLIN, 0}; ::poll(&ready, 1, longest_ms) > 0;) {
        const auto bytes = ::read(terminal, part.data(), part.size());
        if (bytes <= 0)
            break;
        text.append(part.data(), static_cast<std::size_t>(bytes));
        if (!told && text.find(" s\033[K") != text.npos)
            told = ::write(terminal, "\n", 1) == 1;
    }
    ::close(terminal);
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(told) << text;
    EXPECT_NE(text.find("\rfitting net.db: 1 s\033[K"), text.npos) << text;
    EXPECT_TRUE(text.ends_with("\r\033[K")) << text;
}

} // namespace
} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Labs keep their promises: hosts, launchers, rates, delays, drops, and nothing left behind.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/lab.hpp"
#include "run.hpp"

namespace alltold::lab_tests {
namespace {

using nlohmann::json;

/// The lines that are the rate of a transfer; the lab may say that the machine is busy.
int rates_in(const std::string& out) {
    std::istringstream lines(out);
    int rates = 0;
    for (std::string line; std::getline(lines, line);)
        rates += number(line) > 0 && line.find_first_not_of("0123456789.") == line.npos;
    return rates;
}

TEST(Lab, HostsHaveNamesAndReachEachOther) {
    NEEDS_LAB();
    const auto ran =
        run_lab("--clusters 2+1 -- sh -c 'hostname; ssh b1 hostname; ssh a2 hostname; " +
                transfer("a1", "b1", 1) + "wait; " + transfer("a2", "a1", 1) + "wait'");
    EXPECT_EQ(ran.status, 0) << ran.out;
    ASSERT_EQ(ran.out.rfind("head\nb1\na2\n", 0), 0U) << ran.out;
    EXPECT_EQ(rates_in(ran.out), 2) << ran.out;
}

TEST(Lab, StatusIsTheCommands) {
    NEEDS_LAB();
    EXPECT_EQ(run_lab("--clusters 1 -- sh -c 'exit 7'").status, 7);
    EXPECT_EQ(run_lab("--clusters 1 -- sh -c 'kill -9 $$'").status, 137);
    const auto missing = run_lab("--clusters 1 -- no-such-program");
    EXPECT_EQ(missing.status, 2);
    EXPECT_NE(missing.out.find("no-such-program"), std::string::npos);
}

class Launcher : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Launcher, SpansTheHostsInOrder) {
    NEEDS_LAB();
    const auto [compiler, launcher] = GetParam();
    const std::string program = std::string(HELLO_FOLDER "/hello.") + launcher;
    const auto built = run_shell(std::string(compiler) + " " HELLO_SOURCE " -o " + program);
    if (built.status != 0)
        GTEST_SKIP() << compiler << " is missing: " << built.out;
    const auto ran = run_lab(std::string("--clusters 2+2 -- ") + launcher + " -n 4 " + program);
    EXPECT_EQ(ran.status, 0) << ran.out;
    for (const auto* line : {"0 a1 6\n", "1 a2 6\n", "2 b1 6\n", "3 b2 6\n"})
        EXPECT_NE(ran.out.find(line), std::string::npos) << ran.out;
}

// Linux may divide processors among sessions before it does among processes.
TEST_P(Launcher, RanksOfAllHostsShareASession) {
    NEEDS_LAB();
    const std::string launcher = GetParam().second;
    if (run_shell("command -v " + launcher).status != 0)
        GTEST_SKIP() << launcher << " is missing";
    const auto ran = run_lab("--clusters 3 -- " + launcher +
                             R"( -n 3 sh -c 'echo session $(cut -d" " -f6 /proc/self/stat)')");
    EXPECT_EQ(ran.status, 0) << ran.out;
    std::istringstream lines(ran.out);
    std::vector<std::string> sessions;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("session "))
            sessions.push_back(line);
    EXPECT_EQ(sessions, std::vector<std::string>(3, sessions.empty() ? "session" : sessions[0]))
        << ran.out;
}

INSTANTIATE_TEST_SUITE_P(Mpi, Launcher,
                         testing::Values(std::pair{"mpicc.openmpi", "mpirun.openmpi"},
                                         std::pair{"mpicc.mpich", "mpiexec.mpich"}),
                         [](const auto& at) { return at.index == 0 ? "OpenMpi" : "Mpich"; });

// A busy machine delays packets, so a test may say only that nothing is faster than its link, and
// not slower by a factor that no load explains. How exact labs are is shown by bench/trains.sh, and
// in simulated time by LinkQueue's tests.
constexpr double not_much_slower = 4;

/// What `lab` says it carried over what it `should`, the best of a few tries.
double share_carried(const std::string& lab, const std::function<double()>& should) {
    double best = 0;
    for (int attempt = 0; attempt < 5 && best < 1 / not_much_slower; ++attempt) {
        const auto ran = run_lab(lab);
        EXPECT_EQ(ran.status, 0) << ran.out;
        const double share = number(ran.out) / should();
        EXPECT_LT(share, 1.001) << "the bytes cannot have passed the link in less time";
        best = std::max(best, share);
    }
    return best;
}

TEST(Lab, GoodputIsWhatTruthSays) {
    NEEDS_LAB();
    for (const auto* rate : {"20Mbit", "100Mbit"}) {
        const std::string file = testing::TempDir() + "lab-truth-" + rate + ".json";
        const int megabytes = rate[0] == '2' ? 2 : 8;
        const auto promised = [&]() -> double {
            return json::parse(std::ifstream(file))["nic"]["goodput_byte_per_s"];
        };
        EXPECT_GT(share_carried(std::string("--clusters 2 --nic ") + rate + " --truth " + file +
                                    " -- sh -c '" + transfer("a1", "a2", megabytes) + "wait'",
                                promised),
                  1 / not_much_slower)
            << rate;
    }
}

TEST(Lab, ClustersAndPairsHaveTheirRates) {
    NEEDS_LAB();
    // The two lower rates carry far less than the higher ones would.
    for (const auto& [from, to, mbit] :
         {std::tuple{"b1", "b2", 4}, std::tuple{"a1", "b1", 4}, std::tuple{"a1", "c1", 8}}) {
        const double promised = mbit * 1e6 / 8 * lab::segment_bytes / lab::frame_bytes;
        EXPECT_GT(share_carried(std::string("--clusters 1@40Mbit+2@4Mbit+1@40Mbit "
                                            "--wan a-c=8Mbit,1ms,64KiB -- sh -c '") +
                                    transfer(from, to, 1) + "wait'",
                                [&] { return promised; }),
                  1 / not_much_slower)
            << from << to;
    }
}

TEST(Lab, NoTrainIsFasterThanItsLinks) {
    NEEDS_LAB();
    // A busy machine makes trains late, and nothing makes them early.
    for (const bool backbone : {false, true}) {
        const std::string to = backbone ? "b1" : "a2";
        const auto ran = run_lab(
            std::string("--nic 20Mbit ") +
            (backbone ? "--clusters 1+1 --wan 40Mbit,2ms,64KiB" : "--clusters 2") +
            " -- sh -c 'ssh " + to + " " LAB_TRAINS " sink 5001 & sleep 0.5; ssh a1 " + LAB_TRAINS +
            " source " + to + " 5001 20 5 1x1514 2x1514 3x1514 10x1514 1x100 10x100; wait'");
        ASSERT_EQ(ran.status, 0) << ran.out;
        std::istringstream lines(ran.out);
        int shapes = 0;
        double packets, bytes, trains, least_s, tenth_s, median_s, ninth_s;
        while (lines >> packets >> bytes >> trains >> least_s >> tenth_s >> median_s >> ninth_s) {
            ++shapes;
            const double own_s = bytes * 8 / 20e6;
            const double must_s = (packets + 1) * own_s + (backbone ? bytes * 8 / 40e6 + 2e-3 : 0.);
            EXPECT_GT(trains, 0);
            EXPECT_GT(least_s, must_s - 2e-6) << packets << " of " << bytes << ": " << ran.out;
        }
        EXPECT_EQ(shapes, 6) << ran.out;
    }
}

TEST(Lab, BackboneDelayIsWhatTruthSays) {
    NEEDS_LAB();
    for (const int delay_ms : {3, 20}) {
        double best = INFINITY;
        for (int attempt = 0; attempt < 5 && best > not_much_slower; ++attempt) {
            const auto ran = run_lab("--clusters 1+1 --wan 200Mbit," + std::to_string(delay_ms) +
                                     "ms,256KiB -- sh -c 'ssh b1 " LAB_PROBE
                                     " delay-sink 5001 101 & ssh a1 " LAB_PROBE
                                     " delay-source b1 5001 101; wait'");
            ASSERT_EQ(ran.status, 0) << ran.out;
            const double share = number(ran.out) / (delay_ms * 1e-3);
            EXPECT_GT(share, 0.95) << delay_ms;
            best = std::min(best, share);
        }
        EXPECT_LE(best, not_much_slower) << delay_ms;
    }
}

TEST(Lab, BackboneCarriesItsRate) {
    NEEDS_LAB();
    const auto share = share_carried(
        "--clusters 1+1 --nic 400Mbit --buffer 1MiB --wan 40Mbit,2ms,1MiB -- sh -c '" +
            transfer("a1", "b1", 6) + "wait'",
        [] { return 40e6 / 8 * 1448 / 1514; });
    EXPECT_GT(share, 1 / not_much_slower);
}

TEST(Lab, WatchesTheProcessors) {
    NEEDS_LAB();
    const auto ran = run_lab("--clusters 1 --counters --json -- sleep 0.3");
    const auto watched = last_json(ran.out)["processors"];
    EXPECT_GT(watched["timer_late_s"], 0) << ran.out;
    for (const auto* share : {"softirq_share", "relay_share", "steal_share"}) {
        ASSERT_TRUE(watched[share].is_number()) << ran.out;
        EXPECT_LE(watched[share], 1) << ran.out;
    }
}

TEST(Lab, CongestionControlIsWhatTruthSays) {
    NEEDS_LAB();
    for (const std::string asked : {"", "reno"}) {
        const std::string file = testing::TempDir() + "lab-truth-tcp.json";
        const auto ran = run_lab(
            (asked.empty() ? "" : "--tcp " + asked + " ") + "--clusters 2+1 --truth " + file +
            " -- sh -c 'for to in a2 b1; do ssh $to " LAB_PROBE
            " tcp-name-sink 5001 & ssh a1 " LAB_PROBE " tcp-name-source $to 5001; wait; done'");
        ASSERT_EQ(ran.status, 0) << ran.out;
        const std::string tcp = json::parse(std::ifstream(file))["tcp"];
        EXPECT_TRUE(asked.empty() ? tcp == "cubic" || tcp == "reno" : tcp == asked) << tcp;
        // Both ends of a connection, near and far; warnings of a busy machine may follow.
        EXPECT_TRUE(ran.out.starts_with(tcp + "\n" + tcp + "\n" + tcp + "\n" + tcp + "\n"))
            << ran.out;
    }
    const auto none = run_lab("--clusters 1 --tcp psychic -- true");
    EXPECT_EQ(none.status, 3);
    EXPECT_NE(none.out.find("reno"), std::string::npos) << none.out;
}

TEST(Lab, TwoAtOnceDoNotCollide) {
    NEEDS_LAB();
    const std::string one = ALLTOLD_BINARY " lab --clusters 1+1 -- sh -c '";
    const auto ran = run_shell("(" + one + transfer("a1", "b1", 1) + "wait') & (" + one +
                               transfer("a1", "b1", 1) + "wait') & wait");
    EXPECT_EQ(rates_in(ran.out), 2) << ran.out;
}

TEST(Lab, BadInputIsOneLineAndTwo) {
    for (const auto* words :
         {"--clusters 0+3 -- true", "--clusters 251 -- true", "--clusters x -- true",
          "--nic 50parsecs -- true", "--buffer 3000 -- true", "--buffer -1 -- true",
          "--clusters 1+1 --wan 5ms -- true", "--clusters 1+1 --wan 1Mbit,1ms,1KiB -- true",
          "--clusters 2x3 --ranks-per-host 3 -- true", "--ranks-per-host 0 -- true",
          "--clusters 1000+1000 --ranks-per-host 1000 -- true",
          "--truth /no/such/folder/truth.json -- true", "down 1"}) {
        const auto ran = run_lab(words);
        EXPECT_EQ(ran.status, 2) << words << ": " << ran.out;
        EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << words << ": " << ran.out;
    }
}

TEST(Lab, StatusFitsAScreen) {
    NEEDS_LAB();
    std::string words;
    for (int i = 0; i < 40; ++i)
        words += " word";
    const auto ran =
        run_shell(ALLTOLD_BINARY " lab --clusters 2 -- sh -c 'sleep 20 #" + words +
                  "' & lab=$!; for i in $(seq 100); do status=$(" ALLTOLD_BINARY
                  " lab status); case $status in *' word'*) break;; esac; sleep 0.05; done; "
                  "echo \"$status\"; kill $lab; wait");
    EXPECT_NE(ran.out.find(" word"), std::string::npos) << ran.out;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 100U) << line;
}

} // namespace
} // namespace alltold::lab_tests

// SPDX-License-Identifier: BSD-3-Clause
// Hosts of several ranks: launchers fill them in order, ranks of a host share its memory and link.
#include <chrono>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/lab.hpp"
#include "run.hpp"

namespace alltold::lab_tests {
namespace {

using nlohmann::json;

class ManyRanks : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ManyRanks, FillHostsInOrderAndShareTheirMemory) {
    NEEDS_LAB();
    const auto [compiler, launcher] = GetParam();
    const std::string program = std::string(HELLO_FOLDER "/neighbours.") + launcher;
    const auto built = run_shell(std::string(compiler) + " " NEIGHBOURS_SOURCE " -o " + program);
    if (built.status != 0)
        GTEST_SKIP() << compiler << " is missing: " << built.out;
    const auto ran = run_lab(
        "--clusters 1x2/1+1x2 --counters --json -- sh -c '" + std::string(launcher) + " -n 5 " +
        program + "; for host in a1 b1; do echo lo $(ssh $host grep lo: /proc/net/dev); done'");
    ASSERT_EQ(ran.status, 0) << ran.out;
    for (const auto* line : {"0 a1 2\n", "1 a1 2\n", "2 a2 1\n", "3 b1 2\n", "4 b1 2\n"})
        EXPECT_NE(ran.out.find(line), std::string::npos) << ran.out;

    // A ring of two ranks moves 8 MB: over no interface, while 1 MB from a1 to b1 crosses both.
    std::istringstream lines(ran.out);
    std::string word;
    int hosts = 0;
    while (lines >> word)
        if (double bytes = 0; word == "lo:" && lines >> bytes) {
            ++hosts;
            EXPECT_LT(bytes, 1e6) << ran.out;
        }
    EXPECT_EQ(hosts, 2) << ran.out;
    const auto counters = last_json(ran.out);
    EXPECT_LT(counters["ports"]["a1"]["bytes"], 500'000) << ran.out;
    EXPECT_LT(counters["ports"]["a2"]["bytes"], 500'000) << ran.out;
    EXPECT_GT(counters["ports"]["b1"]["bytes"], 1'000'000) << ran.out;
    EXPECT_LT(counters["ports"]["b1"]["bytes"], 2'000'000) << ran.out;
    EXPECT_EQ(counters["clusters"], "1x2/1+1x2");
    EXPECT_EQ(counters["hosts"], 3);
    EXPECT_EQ(counters["ranks"], 5);
}

INSTANTIATE_TEST_SUITE_P(Mpi, ManyRanks,
                         testing::Values(std::pair{"mpicc.openmpi", "mpirun.openmpi"},
                                         std::pair{"mpicc.mpich", "mpiexec.mpich"}),
                         [](const auto& at) { return at.index == 0 ? "OpenMpi" : "Mpich"; });

TEST(ManyRanks, ProgramsSeeHostsAndRanks) {
    NEEDS_LAB();
    const auto ran = run_lab("--clusters 2+1 --ranks-per-host 2 -- sh -c 'echo $ALLTOLD_CLUSTERS "
                             "$ALLTOLD_LAB_HOSTS $ALLTOLD_LAB_RANKS; ssh b1 hostname'");
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_NE(ran.out.find("2x2+1x2 3 6\nb1\n"), std::string::npos) << ran.out;
}

TEST(ManyRanks, StatusNamesThem) {
    NEEDS_LAB();
    // Other labs may run on this machine; this one is known by its command.
    const auto ran =
        run_shell(ALLTOLD_BINARY " lab --clusters 2x3 -- sleep 20.25 & lab=$!; "
                                 "for i in $(seq 100); do " ALLTOLD_BINARY
                                 " lab status | tr -s '\\n ' ' ' | grep 'up.*2x3).*sleep 20.25' && "
                                 "break; sleep 0.05; "
                                 "done; kill $lab; wait $lab");
    EXPECT_NE(ran.out.find("6 ranks on 2 hosts (2x3)"), std::string::npos) << ran.out;
}

TEST(ManyRanks, ExchangeWhereverTheyArePlaced) {
    if (run_shell(ALLTOLD_BINARY " --version").out.find("Open MPI") == std::string::npos)
        return; // its launcher places ranks
    NEEDS_LAB();
    // The hosts' clusters are found out, since ranks are not in their order.
    const auto ran = run_lab(R"(--clusters 1x3/1x2+2x2 --nic 20Mbit --wan 200Mbit,5ms,1MiB -- bash -c '
        unset ALLTOLD_CLUSTERS
        run() {
            mpirun.openmpi "$@" )" ALLTOLD_BINARY R"( run alltoall -m 1KiB --repetitions 1 --start barrier --json \
                --algorithm alltoall.host_shared,alltoall.paced,mpi </dev/null |
                sed -n "s/.*\"clusters\": //p; s/.*\"verified\": //p" | tr -d "\n"
            echo
        }
        run -n 9 --map-by node
        run -n 8 --map-by ppr:2:node
        run -n 5 --map-by node --rank-by slot
        run -n 6 -H b1:2,a1:3,b2:1
        file=$(mktemp)
        printf "rank %d=%s slot=0\\n" 0 b1 1 a1 2 a1 3 b1 4 b2 5 a2 >"$file"
        run -n 6 --rankfile "$file"
        rm "$file"')");
    EXPECT_EQ(ran.status, 0) << ran.out;
    for (const auto* clusters : {"1x3/1x2+2x2", "2x2+2x2", "1x2/1+2", "1x2/1+1x3", "1x2/1+1x2/1"})
        EXPECT_NE(ran.out.find(std::string("\"") + clusters + "\",true,true,true,\n"),
                  std::string::npos)
            << clusters << '\n'
            << ran.out;
}

TEST(ManyRanks, TooManyAreRefused) {
    const auto ran = run_lab("--clusters 250 --ranks-per-host 1000 -- true");
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.out.find("--oversubscribe"), std::string::npos) << ran.out;
}

} // namespace
} // namespace alltold::lab_tests

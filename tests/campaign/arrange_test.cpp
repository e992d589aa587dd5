// SPDX-License-Identifier: BSD-3-Clause
// Who says which rank is in which cluster, and what is found when nobody does.
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "../scratch.hpp"
#include "job.hpp"
#include "lab/lab.hpp"
#include "store/campaign.hpp"

namespace alltold::campaign_tests {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Arrange : public testing::Test {
  protected:
    fs::path store() const { return folder_ / "net.db"; }
    fs::path hosts() const { return folder_ / "hosts"; }

    static Words quick(const fs::path& store) {
        return {ALLTOLD_BINARY,  "measure", store.string(), "--only", "p2p", "-m", "1",
                "--repetitions", "2",       "--budget",     "20s"};
    }

    /// Measures a little on four ranks of this machine; what the store says of clusters.
    std::string learned(const Words& options, const std::string& environment) {
        fs::remove(store());
        Words words{"env", environment, MPI_LAUNCH, MPIEXEC, "4"};
        for (const auto& word : quick(store()))
            words.push_back(word);
        words.insert(words.end(), options.begin(), options.end());
        Job job(words, folder_ / "out");
        if (job.wait(40) != 0)
            return job.errors();
        const auto campaign = Campaign::read(store());
        const auto there = *campaign->provenance();
        return there.clusters.text() + ": " + there.clusters_from;
    }

    test::Scratch folder_;
};

std::string this_host() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

TEST_F(Arrange, FlagBeforeEnvironmentBeforeHostFileBeforeProbing) {
    std::ofstream(hosts()) << "# cluster: here\n" << this_host() << " slots=4\n";
    const Words host_file{"--hostfile", hosts().string()};
    auto flag_too = host_file;
    flag_too.insert(flag_too.end(), {"--clusters", "2+2"});
    auto probe = host_file;
    probe.insert(probe.end(), {"--clusters", "auto"});
    const std::string set = "ALLTOLD_CLUSTERS=1+3";
    const std::string unset = "ALLTOLD_CLUSTERS=";
    EXPECT_EQ(learned(flag_too, set), "2+2: given by --clusters");
    EXPECT_EQ(learned(host_file, set), "1+3: given by ALLTOLD_CLUSTERS");
    EXPECT_EQ(learned(host_file, unset), "4: given by host file " + hosts().string());
    EXPECT_EQ(learned({}, unset), "4: one host, no probing");
    EXPECT_EQ(learned(probe, set), "4: one host, no probing");
    EXPECT_EQ(learned({"--clusters", "1x3+1"}, unset), "1x3+1: given by --clusters");
}

TEST_F(Arrange, SaysWhatIsWrongWithTheHostFile) {
    const auto error = [&](const std::string& text) {
        std::ofstream(hosts()) << text;
        return learned({"--hostfile", hosts().string()}, "ALLTOLD_CLUSTERS=");
    };
    EXPECT_NE(error("n1\n# cluster: a\nn2\n").find(hosts().string() + ": line 1: host 'n1'"),
              std::string::npos);
    EXPECT_NE(error("# cluster: a\nn1\n").find(hosts().string() + ": host '" + this_host()),
              std::string::npos);
    fs::remove(hosts());
    EXPECT_NE(learned({"--hostfile", hosts().string()}, "ALLTOLD_CLUSTERS=").find("no such file"),
              std::string::npos);
}

TEST_F(Arrange, FindsTheClustersOfALabWithRanksInTurn) {
    if (const auto& permitted = lab::lab_permitted(); !permitted)
        GTEST_SKIP() << "no labs here: " << permitted.error().message;
    constexpr bool mpich = MPI_IS_MPICH;
    std::ofstream file(hosts());
    for (const auto* host : {"a1", "b1", "b2", "a2", "b3"})
        file << host << (mpich ? ":1\n" : " slots=1\n");
    file.close();
    Words words{ALLTOLD_BINARY,
                "lab",
                "--clusters",
                "2+3",
                "--wan",
                "200Mbit,20ms,1MiB",
                "--",
                LAB_LAUNCHER,
                mpich ? "-f" : "--hostfile",
                hosts().string(),
                "-n",
                "5"};
    for (const auto& word : quick(store()))
        words.push_back(word);
    words.insert(words.end(), {"--clusters", "auto"});
    Job job(words, folder_ / "out");
    ASSERT_EQ(job.wait(60), 0) << job.errors();
    const auto campaign = Campaign::read(store());
    ASSERT_TRUE(campaign) << campaign.error().message;
    const auto there = *campaign->provenance();
    EXPECT_NE(there.clusters_from.find("found from latency"), std::string::npos)
        << there.clusters_from;
    // Open MPI starts with the hosts' order of its own choice; each cluster is together.
    ASSERT_EQ(there.hosts.size(), 5U);
    for (int rank = 1; rank < 5; ++rank)
        EXPECT_EQ(there.clusters.cluster_of(rank - 1) == there.clusters.cluster_of(rank),
                  there.hosts[static_cast<std::size_t>(rank) - 1][0] ==
                      there.hosts[static_cast<std::size_t>(rank)][0])
            << there.clusters.text() << " " << testing::PrintToString(there.hosts);
    EXPECT_NE(job.output().find("found from latency"), std::string::npos) << job.output();
}

/// Only the environment of a process started by Slurm is needed. The switches are not the lab's
/// clusters.
TEST_F(Arrange, SlurmsSwitchesAreClusters) {
    if (const auto& permitted = lab::lab_permitted(); !permitted)
        GTEST_SKIP() << "no labs here: " << permitted.error().message;
    const auto found = [&](const std::string& address, const std::string& option) {
        fs::remove(store());
        auto command = fmt::format("unset ALLTOLD_CLUSTERS; host=$(hostname); case $host in ?1) "
                                   "switch=leaf1;; *) switch=leaf2;; esac; "
                                   "export SLURM_TOPOLOGY_ADDR={}; exec",
                                   address);
        for (const auto& word : quick(store()))
            command += " " + word;
        Job job({ALLTOLD_BINARY, "lab", "--clusters", "2+2", "--", LAB_LAUNCHER, "-n", "4", "sh",
                 "-c", command + option},
                folder_ / "out");
        if (job.wait(60) != 0)
            return job.errors();
        const auto there = *Campaign::read(store())->provenance();
        std::string text = there.clusters.text() + ":";
        for (const auto& host : there.hosts)
            text += " " + host;
        return text + "; " + there.clusters_from;
    };
    EXPECT_EQ(found("core.$switch.$host", ""), "2+2: a1 b1 a2 b2; given by Slurm's topology");
    EXPECT_EQ(found("core.$switch.$host", " --clusters 1+3"),
              "1+3: a1 a2 b1 b2; given by --clusters");
    EXPECT_NE(found("core.$switch.other", "").find("found from"), std::string::npos);
    EXPECT_NE(found("$host", "").find("found from"), std::string::npos);
}

} // namespace
} // namespace alltold::campaign_tests

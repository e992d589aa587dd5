// SPDX-License-Identifier: BSD-3-Clause
// What launchers leave in the environment of a process.
#include "core/environment.hpp"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace alltold {
namespace {

using Variables = std::vector<std::pair<const char*, const char*>>;

/// The environment with `variables` and nothing else of a launcher.
std::optional<LaunchedProcess> process_with(const Variables& variables) {
    for (const auto* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE",
                             "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "PMIX_RANK"})
        unsetenv(name);
    for (const auto& [name, value] : variables)
        setenv(name, value, 1);
    return launched_process();
}

void expect(const Variables& variables, int rank, int size) {
    const auto process = process_with(variables);
    ASSERT_TRUE(process);
    EXPECT_EQ(process->rank, rank);
    EXPECT_EQ(process->size, size);
}

TEST(Launcher, TellsRankAndSize) {
    expect({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "8"}, {"PMIX_RANK", "3"}}, 3,
           8);
    expect({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}, 0, 2);
    expect({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"PMIX_RANK", "1"}}, 1, 4);
    expect({{"PMIX_RANK", "5"}}, 5, 0);
}

TEST(Launcher, NoneStartedAProgramRunByHandOrAJobScript) {
    EXPECT_FALSE(process_with({}));
    EXPECT_FALSE(process_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}));
}

TEST(Launcher, ARankThatDoesNotFitGivesWayToOneThatDoes) {
    expect({{"PMI_RANK", "7"}}, 7, 0);
    expect({{"PMI_RANK", "7"}, {"PMI_SIZE", "4"}}, 7, 0);
    expect({{"PMI_RANK", "7"}, {"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}}, 1, 4);
}

TEST(Launcher, SlurmsSwitchesAreThoseAboveThisHost) {
    const auto told = [](const char* address, const char* host) {
        setenv("SLURM_TOPOLOGY_ADDR", address, 1);
        return slurm_switches(host);
    };
    EXPECT_EQ(told("core.leaf1.n3", "n3"), "core.leaf1");
    EXPECT_EQ(told("core.leaf1.n3", "n3.example.org"), "core.leaf1");
    EXPECT_EQ(told("core.leaf1.n3", "n4"), "") << "handed on by a launcher";
    EXPECT_EQ(told("n3", "n3"), "") << "no topology file";
    unsetenv("SLURM_TOPOLOGY_ADDR");
    EXPECT_EQ(slurm_switches("n3"), "");
}

} // namespace
} // namespace alltold

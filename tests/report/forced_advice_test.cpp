// SPDX-License-Identifier: BSD-3-Clause
// A forced algorithm of the MPI library is recommended where it gains, and loses nowhere.
#include "report/next_command.hpp"

#include <gtest/gtest.h>

namespace alltold {
namespace {

PointSamples times(const char* probe, const char* algorithm, std::uint64_t size_bytes,
                   double time_s, int repetitions = 6) {
    PointSamples samples{{probe, algorithm, Clusters({12}), size_bytes}, {{0, 1, true, 0}}};
    for (int i = 1; i <= repetitions; ++i)
        samples.samples.push_back({i, time_s * (1 + 1e-3 * i), false, 0});
    return samples;
}

/// Pairwise exchange gains at 64 KiB, and ties at 1 KiB; another algorithm gains and loses.
std::vector<PointSamples> forced_campaign() {
    return {times("alltoall", "mpi", 1024, 1e-3),
            times("alltoall", "mpi", 65536, 4e-3),
            times("alltoall", "mpi.pairwise", 1024, 1.01e-3),
            times("alltoall", "mpi.pairwise", 65536, 2e-3),
            times("alltoall", "mpi.linear_sync", 1024, 2e-3),
            times("alltoall", "mpi.linear_sync", 65536, 1e-3)};
}

TEST(ForcedAdvice, IsTheLineOfWhatGainsAndLosesNowhere) {
    EXPECT_EQ(forced_advice(forced_campaign(), MpiLibrary::open_mpi),
              "export OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
              "OMPI_MCA_coll_tuned_alltoall_algorithm=2\n"
              "# the MPI library's own alltoall of 64 KiB on n = 12: 2.01 ms instead of 4.01 ms; "
              "none of 2 calls is slower\n"
              "# If you set it, run the study again: the fastest choices may change.\n");
    EXPECT_EQ(forced_advice(forced_campaign(), MpiLibrary::mpich), "")
        << "it has no such variables";
}

TEST(ForcedAdvice, NeedsMoreThanChance) {
    auto few = forced_campaign();
    for (auto& samples : few)
        samples.samples.resize(3); // two times and a warm-up
    EXPECT_EQ(forced_advice(few, MpiLibrary::open_mpi), "");
    auto slight = forced_campaign();
    slight[3] = times("alltoall", "mpi.pairwise", 65536, 3.9e-3);
    EXPECT_EQ(forced_advice(slight, MpiLibrary::open_mpi), "");
}

TEST(ForcedAdvice, HasOneLineForAllCollectives) {
    auto both = forced_campaign();
    both.push_back(times("bcast", "mpi", 65536, 4e-3));
    both.push_back(times("bcast", "mpi.chain", 65536, 2e-3));
    const auto advice = forced_advice(both, MpiLibrary::open_mpi);
    EXPECT_EQ(advice.find("use_dynamic_rules"), advice.rfind("use_dynamic_rules")) << advice;
    EXPECT_NE(advice.find("_alltoall_algorithm=2"), std::string::npos) << advice;
    EXPECT_NE(advice.find("_bcast_algorithm="), std::string::npos) << advice;
}

TEST(ForcedAdvice, ElseNamesTheCommandThatFindsOut) {
    EXPECT_EQ(settings_command("./alltold", {"alltoall", "mpi", Clusters({6, 6}), 65536}),
              "./alltold settings alltoall -m 64KiB -- mpirun -n 12");
    EXPECT_EQ(settings_command("alltold", {"barrier", "mpi", Clusters({12}), 0}),
              "alltold settings barrier -- mpirun -n 12");
}

} // namespace
} // namespace alltold

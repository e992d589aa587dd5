// SPDX-License-Identifier: BSD-3-Clause
// The setting that is recommended is the one under which a launcher's run was faster.
#ifdef ALLTOLD_WITH_MPI
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "program.hpp"

namespace alltold::test {
namespace {

/// A launcher that runs nothing: 4 KiB take 1 ms, 64 KiB 4 ms, or with an eager limit of 1 MiB 2
/// ms.
std::vector<std::string> launcher() {
    return {"sh", "-c", R"(
        small=1 large=4
        case "${OMPI_MCA_btl_tcp_eager_limit:-}${UCX_RNDV_THRESH:-}" in 1048576) large=2 ;; esac
        series() { printf '"times_s": [%s.1e-3, %s.2e-3, %s.3e-3]' $1 $1 $1; }
        printf 'a line of the launcher\n{"results": ['
        printf '{"size_bytes": 4096, '; series $small; printf '},'
        printf '{"size_bytes": 65536, '; series $large; printf '}]}\n'
    )",
            "launcher"};
}

Run settings(const std::vector<std::string>& launcher) {
    std::vector<std::string> line{"settings", "gather", "-m", "4KiB,64KiB", "--"};
    line.insert(line.end(), launcher.begin(), launcher.end());
    return run_alltold(line);
}

TEST(Settings, RecommendsWhatGainsMostAndLosesNowhere) {
    const auto run = settings(launcher());
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    for (const char* part :
         {"=1048576\n# gather of 4 KiB after a barrier: 1.00 of the default's time, 1.2 ms instead "
          "of 1.2 ms\n",
          "# gather of 64 KiB after a barrier: 0.52 of the default's time, 2.2 ms instead of 4.2 "
          "ms\n"})
        EXPECT_NE(run.output.find(part), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("alltold"), std::string::npos) << "no study to compare with";
}

TEST(Settings, KeepsTheDefaultWhereNothingHelps) {
    // One setting gains at 64 KiB and loses at 4 KiB.
    const auto run = settings({"sh", "-c", R"(
        small=1 large=4
        case "${OMPI_MCA_btl_tcp_eager_limit:-}${UCX_RNDV_THRESH:-}" in 262144) small=2 large=1 ;; esac
        printf '{"results": [{"size_bytes": 4096, "times_s": [%s.1,%s.2,%s.3]},' $small $small $small
        printf '{"size_bytes": 65536, "times_s": [%s.1,%s.2,%s.3]}]}' $large $large $large
    )",
                               "launcher"});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_NE(run.output.find("No setting is known to be 5 % faster"), std::string::npos)
        << run.output;
}

/// The golden study's hosts: an all-to-all of 64 KiB takes 600 ms, or with an eager limit of
/// 1 MiB `limited`.
Run settings_beside_a_study(const std::string& limited, const std::string& clusters = "3+8+1") {
    const std::string script = "limited=" + limited + " clusters=" + clusters + R"(
        time=0.600
        case "${OMPI_MCA_btl_tcp_eager_limit:-}${UCX_RNDV_THRESH:-}" in 1048576) time=$limited ;; esac
        printf '{"clusters": "%s", "results": [{"size_bytes": 65536, ' $clusters
        printf '"times_s": [%s1, %s2, %s3]}]}' $time $time $time
    )";
    return run_alltold({"settings", "alltoall", "-m", "64KiB", "--start", "silence", "--campaign",
                        GOLDEN_STORE, "--", "sh", "-c", script, "launcher"});
}

TEST(Settings, SaysWhatToDoBesideWhatAStudyFound) {
    const auto as_fast = settings_beside_a_study("0.473");
    EXPECT_EQ(as_fast.exit_status, 0) << as_fast.errors;
    for (const char* part :
         {"=1048576\n# alltoall of 64 KiB after a silence: 0.79 of the default's time, 473 ms "
          "instead of 600 ms\n",
          "#   alltold's rotated took 472 ms in the study, so the MPI library is as fast with this "
          "setting\n",
          "# Set it first, then run the study again"})
        EXPECT_NE(as_fast.output.find(part), std::string::npos) << as_fast.output;
    for (const auto& [time_s, part] :
         {std::pair("0.566", "in the study, and is still 1.20 times as fast"),
          std::pair("0.412", "in the study, so the MPI library is faster with this setting")}) {
        const auto other = settings_beside_a_study(time_s);
        EXPECT_NE(other.output.find(part), std::string::npos) << other.output;
    }
}

TEST(Settings, ComparesOnTheSameHostsOnly) {
    const auto others = settings_beside_a_study("0.473", "12");
    EXPECT_NE(others.output.find("0.79 of the default's time, 473 ms instead of 600 ms\n"),
              std::string::npos)
        << others.output;
    EXPECT_EQ(others.output.find("in the study"), std::string::npos) << others.output;
}

TEST(Settings, SaysWhatFailed) {
    const auto failed = settings({"sh", "-c", "exit 3", "launcher"});
    EXPECT_EQ(failed.exit_status, 3);
    EXPECT_NE(failed.errors.find("alltold: the launcher failed: 'sh' '-c' 'exit 3'"),
              std::string::npos)
        << failed.errors;
    const auto other = settings({"sh", "-c", "echo '{}'", "launcher"});
    EXPECT_NE(other.errors.find("the output of run: /results"), std::string::npos) << other.errors;
    EXPECT_NE(run_alltold({"settings", "gather"}).errors.find("give the launcher after --"),
              std::string::npos);
}

} // namespace
} // namespace alltold::test
#endif

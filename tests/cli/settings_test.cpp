// SPDX-License-Identifier: BSD-3-Clause
// The setting that is recommended is the one under which a launcher's run was faster.
#ifdef ALLTOLD_WITH_MPI
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../scratch.hpp"
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
    EXPECT_NE(run.output.find("=1048576\n# ratio to the default: 1.00 at 4 KiB, 0.52 at 64 KiB"),
              std::string::npos)
        << run.output;
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

TEST(Settings, TimesASettingOnceThatAnotherSurpasses) {
    const Scratch scratch;
    const auto started = (scratch / "started").string();
    // 4 ms, with an eager limit of 256 KiB 2 ms, of 1 MiB 1 ms.
    const auto run = settings({"sh", "-c", R"(
        limit="${OMPI_MCA_btl_tcp_eager_limit:-}${UCX_RNDV_THRESH:-}"
        time=4
        case "$limit" in 262144) time=2 ;; 1048576) time=1 ;; esac
        [ -n "${OMPI_MCA_coll_tuned_use_dynamic_rules:-}" ] || echo "limit '$limit'" >>"$0"
        printf '{"results": [{"size_bytes": 4096, "times_s": [%s.1,%s.2,%s.3]}]}' $time $time $time
    )",
                               started});
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_EQ(contents(started), "limit ''\nlimit '262144'\nlimit '1048576'\n"
                                 "limit ''\nlimit '1048576'\n");
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

TEST(Settings, EndsWithItsLauncher) {
    const Scratch scratch;
    const auto started = (scratch / "started").string(), ended = (scratch / "ended").string();
    // The launcher writes its parent's number, and says when SIGTERM has come.
    const auto script = "trap 'echo x >\"" + ended + "\"; exit' TERM; echo $PPID >\"" + started +
                        "\"; for i in $(seq 400); do sleep 0.05; done";
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl(ALLTOLD_PROGRAM, "alltold", "settings", "gather", "--", "sh", "-c", script.c_str(),
                nullptr);
        ::_exit(127);
    }
    const auto has = [](const std::string& file) {
        for (int tries = 0; tries < 600 && contents(file).empty(); ++tries)
            ::usleep(50'000);
        return !contents(file).empty();
    };
    ASSERT_TRUE(has(started));
    ::kill(child, SIGTERM);
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(has(ended));
}

} // namespace
} // namespace alltold::test
#endif

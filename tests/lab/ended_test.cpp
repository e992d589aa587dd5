// SPDX-License-Identifier: BSD-3-Clause
// A lab leaves nothing behind, however it is ended: no process, namespace, device or file.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lab/lab.hpp"
#include "run.hpp"

namespace alltold::lab_tests {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// Calls `visit` with each process's folder under /proc.
template <typename Visit>
void each_process(Visit&& visit) {
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc", gone))
        if (entry.path().filename().string().find_first_not_of("0123456789") == std::string::npos)
            visit(entry.path());
}

std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// Processes that were started with `mark` in their environment, by number and name.
Names marked(const std::string& mark) {
    Names found;
    each_process([&](const fs::path& process) {
        if (text_of(process / "environ").find(mark) != std::string::npos)
            found.insert(process.filename().string() + " " + text_of(process / "comm"));
    });
    return found;
}

/// Field 22 of /proc/PID/stat: seconds from boot to the start of the process.
double started_s(const fs::path& process) {
    const auto stat = text_of(process / "stat");
    std::istringstream fields(stat.substr(stat.rfind(')') + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i)
        fields >> field;
    return std::atof(field.c_str()) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Those of the namespaces ("net:[4026532...]") that a process, an open file or a mount still
/// holds. The kernel gives numbers again, so processes that started after `end_s` are others'.
Names held(const Names& namespaces, double end_s) {
    Names found;
    each_process([&](const fs::path& process) {
        if (started_s(process) >= end_s)
            return;
        std::error_code gone;
        for (const auto* folder : {"ns", "fd"})
            for (const auto& link : fs::directory_iterator(process / folder, gone)) {
                const auto name = fs::read_symlink(link.path(), gone).string();
                if (namespaces.count(name))
                    found.insert(name + " by " + link.path().string());
            }
    });
    const auto mounts = text_of("/proc/self/mountinfo");
    for (const auto& name : namespaces)
        if (mounts.find(name) != std::string::npos)
            found.insert(name + " by a mount");
    return found;
}

/// Network devices and files of the names a lab or this test uses.
Names traces(const std::string& mark) {
    Names found;
    std::error_code none;
    for (const auto* folder : {"/sys/class/net", "/run/netns", "/dev/shm", "/tmp"})
        for (const auto& entry : fs::directory_iterator(folder, none)) {
            const std::string name = entry.path().filename();
            const bool device = folder == std::string("/sys/class/net");
            for (const auto& ours : device ? Names{"p-", "c-", "r-", "s-", "control", "ctl", "wan"}
                                           : Names{"lab", "shared", "nodes", mark})
                if (name.starts_with(ours))
                    found.insert(entry.path());
        }
    return found;
}

/// The namespaces named in `file`, without those of this process.
Names namespaces_in(const fs::path& file) {
    Names found;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        found.insert(line);
    for (const auto& own : fs::directory_iterator("/proc/self/ns"))
        found.erase(fs::read_symlink(own.path()).string());
    return found;
}

double uptime_s() {
    return std::atof(text_of("/proc/uptime").c_str());
}

class Ended : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(Ended, LeavesNothing) {
    NEEDS_LAB();
    const auto [signal, status] = GetParam();
    const std::string mark = "mark-" + std::to_string(getpid()) + "-" + signal;
    const fs::path folder = fs::path(testing::TempDir()) / ("ended-" + mark);
    fs::create_directories(folder / "tmp");
    // Besides the lab's own processes a daemon on a host, and files in shared memory.
    const std::string inside =
        "ssh b1 touch /dev/shm/" + mark + "; touch /dev/shm/" + mark +
        "; ssh a2 \"setsid sleep 600 >/dev/null 2>&1 </dev/null &\"; "
        "readlink /proc/[0-9]*/ns/* | sort -u >found; mv found ready; exec sleep 600";
    const auto before = traces(mark);
    const auto ran = run_shell(
        "cd " + folder.string() + "; (TMPDIR=$PWD/tmp LAB_TEST_MARK=" + mark +
        " exec env --default-signal=INT " ALLTOLD_BINARY " lab --clusters 2+2 -- sh -c '" + inside +
        "') >log 2>&1 & lab=$!; until [ -e " + (folder / "ready").string() +
        " ]; do kill -0 $lab || exit 99; sleep 0.05; done; kill -" + signal +
        " $lab; wait $lab; echo status $?");
    const double end_s = uptime_s();
    SCOPED_TRACE(text_of(folder / "log"));
    EXPECT_NE(ran.out.find("status " + std::to_string(status) + "\n"), std::string::npos)
        << ran.out;
    const auto namespaces = namespaces_in(folder / "ready");
    // One of pid; net of head, wires, 4 hosts; mnt, uts, ipc of head and hosts.
    EXPECT_GE(namespaces.size(), 1U + 6U + 3U * 5U);
    // After a kill -9 the kernel is still at it for a moment.
    const auto gone = [&] {
        return marked(mark).empty() && held(namespaces, end_s).empty() && traces(mark) == before;
    };
    for (int i = 0; i < 200 && !gone(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(marked(mark), Names{});
    EXPECT_EQ(held(namespaces, end_s), Names{});
    EXPECT_EQ(traces(mark), before);
    EXPECT_TRUE(fs::is_empty(folder / "tmp"));
    for (const auto& process : marked(mark)) // a failing test leaves nothing either
        ::kill(std::atoi(process.c_str()), SIGKILL);
    fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(By, Ended,
                         testing::Values(std::pair{"INT", 130}, std::pair{"TERM", 143},
                                         std::pair{"KILL", 137}),
                         [](const auto& at) { return std::string(at.param.first); });

} // namespace
} // namespace alltold::lab_tests

// SPDX-License-Identifier: BSD-3-Clause
// Processes that have the name of a lab's supervisor and are none.
#include <csignal>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../scratch.hpp"
#include "lab/find.hpp"
#include "run.hpp"

namespace alltold::lab_tests {
namespace {

namespace fs = std::filesystem;

/// Has one child, whose root is `root`.
class Impostor {
  public:
    explicit Impostor(const fs::path& root) {
        int ready[2];
        if (::pipe(ready) != 0 || (pid_ = ::fork()) != 0) {
            ::close(ready[1]);
            char sign = 0;
            has_root = ::read(ready[0], &sign, 1) == 1;
            ::close(ready[0]);
            return;
        }
        ::prctl(PR_SET_NAME, lab::supervisor_name);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::fork() == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::chroot(root.c_str()) != 0 || ::write(ready[1], "y", 1) != 1)
                ::_exit(1);
        }
        ::close(ready[1]);
        for (;;)
            ::pause();
    }
    ~Impostor() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Impostor(const Impostor&) = delete;
    Impostor& operator=(const Impostor&) = delete;

    pid_t pid() const { return pid_; }

    bool has_root = false;

  private:
    pid_t pid_ = -1;
};

/// The answer of lab status about the process; null: nothing.
nlohmann::json status_of(pid_t pid) {
    const auto ran = run_shell("timeout 20 " ALLTOLD_BINARY " lab status --json");
    EXPECT_EQ(ran.status, 0) << ran.out;
    const auto labs = nlohmann::json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(labs.is_array()) << ran.out;
    for (const auto& one : labs)
        if (one["pid"] == pid)
            return one;
    return nullptr;
}

TEST(LabStatus, DoesNotTrustTheTruthOfAnotherProcess) {
    const test::Scratch root;
    const auto truth = root / "dev/shm/lab/truth.json";
    fs::create_directories(truth.parent_path());
    const Impostor impostor(root.directory());
    if (!impostor.has_root)
        GTEST_SKIP() << "no right to chroot";
    for (const auto* text : {R"({"clusters": 5})", R"({"clusters": "0"})", "[", ""}) {
        std::ofstream(truth) << text;
        const auto status = status_of(impostor.pid());
        EXPECT_TRUE(status.is_object() && !status.contains("clusters")) << text << status;
    }
    std::ofstream(truth) << R"({"clusters": "3"})";
    EXPECT_EQ(status_of(impostor.pid())["clusters"], "3");
    fs::remove(truth);
    ASSERT_EQ(::mkfifo(truth.c_str(), 0600), 0);
    EXPECT_TRUE(status_of(impostor.pid()).is_object());
}

TEST(LabStatus, ShowsNoControlCharacterOfACommandLine) {
    const test::Scratch folder;
    const auto program = folder / lab::supervisor_name;
    fs::copy_file("/bin/sh", program); // a process is named after its program
    const auto ran = run_shell(
        program.string() + " -c 'sleep 30 >/dev/null 2>&1; :' \"$(printf '\\033[2J\\377')\" & "
                           "sleep 0.5; timeout 20 " ALLTOLD_BINARY
                           " lab status; timeout 20 " ALLTOLD_BINARY " lab status --json; kill $!");
    EXPECT_EQ(ran.out.find('\033'), std::string::npos);
    EXPECT_NE(ran.out.find("[2J\\xff"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\"command\""), std::string::npos) << ran.out;
}

TEST(LabStatus, LeavesOutOtherUsers) {
    if (geteuid() != 0)
        GTEST_SKIP() << "needs root";
    const test::Scratch folder;
    const auto program = folder / lab::supervisor_name;
    fs::copy_file("/bin/sh", program);
    fs::permissions(folder.directory(), fs::perms(0755));
    const auto ran =
        run_shell("setpriv --reuid=65534 --regid=65534 --clear-groups " + program.string() +
                  " -c 'sleep 30 >/dev/null 2>&1; :' & sleep 0.5; " ALLTOLD_BINARY
                  " lab status; " ALLTOLD_BINARY " lab down $! && echo stopped; kill $!");
    EXPECT_EQ(ran.out.find("sleep 30"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("is not a lab of yours"), std::string::npos) << ran.out;
}

} // namespace
} // namespace alltold::lab_tests

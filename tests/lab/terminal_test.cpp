// SPDX-License-Identifier: BSD-3-Clause
// A lab without a command is a shell: prompt, job control, and the terminal given back at the end.
#include <chrono>
#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "lab/lab.hpp"
#include "run.hpp"

namespace alltold::lab_tests {
namespace {

/// A shell command at a terminal of its own.
class Terminal {
  public:
    explicit Terminal(const std::string& command) {
        pid_ = forkpty(&master_, nullptr, nullptr, nullptr);
        if (pid_ == 0) {
            setenv("SHELL", "/bin/bash", 1);
            setenv("HOME", "/nonexistent", 1);
            execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
            _exit(127);
        }
    }
    ~Terminal() {
        close(master_); // hangs up
        if (!ended_)
            waitpid(pid_, nullptr, 0);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    void type(const std::string& keys) const {
        EXPECT_EQ(write(master_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    }

    /// Types `key` until `text` appears: a shell loses keys that come while it starts a command.
    void type_until(const std::string& key, const std::string& text) {
        using namespace std::chrono_literals;
        bool shown = false;
        for (int i = 0; i < 40 && !shown; ++i) {
            type(key);
            shown = shows(text, 500ms);
        }
        EXPECT_TRUE(shown) << seen_;
    }

    /// Whether `text` appears in time after what earlier calls have read.
    bool shows(const std::string& text, std::chrono::milliseconds time = std::chrono::seconds(20)) {
        const auto deadline = std::chrono::steady_clock::now() + time;
        for (;;) {
            if (const auto at = seen_.find(text, read_); at != std::string::npos) {
                read_ = at + text.size();
                return true;
            }
            pollfd ready{master_, POLLIN, 0};
            char part[1024];
            const ssize_t size = poll(&ready, 1, 100) > 0 ? read(master_, part, sizeof part) : 0;
            if (size < 0 || std::chrono::steady_clock::now() > deadline)
                return false;
            seen_.append(part, static_cast<std::size_t>(size));
        }
    }

    termios settings() const {
        termios now{};
        tcgetattr(master_, &now);
        return now;
    }
    pid_t foreground() const { return tcgetpgrp(master_); }
    pid_t pid() const { return pid_; }
    const std::string& seen() const { return seen_; }
    int wait() {
        int status = 0;
        waitpid(pid_, &status, 0);
        ended_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

  private:
    int master_ = -1;
    pid_t pid_ = -1;
    bool ended_ = false;
    std::string seen_;
    std::size_t read_ = 0;
};

TEST(Shell, HasThePromptAndGivesTheTerminalBack) {
    NEEDS_LAB();
    Terminal terminal("echo start; read go; " ALLTOLD_BINARY
                      " lab --clusters 2; echo status $?; read word; echo read $word");
    ASSERT_TRUE(terminal.shows("start"));
    const termios before = terminal.settings();
    terminal.type("go\nPS1='prom''pt> '\n");
    ASSERT_TRUE(terminal.shows("prompt> ")) << terminal.seen();
    EXPECT_NE(terminal.foreground(), terminal.pid());
    // Ctrl-C ends the command in front and neither the shell nor the lab.
    terminal.type("ssh a2 'echo sleeping on $(hostname); sleep 600'\n");
    ASSERT_TRUE(terminal.shows("sleeping on a2")) << terminal.seen();
    terminal.type_until("\x03", "prompt> ");
    // Job control: stop, to the background, kill.
    terminal.type("sleep 600\n");
    ASSERT_TRUE(terminal.shows("sleep 600\r\n")) << terminal.seen();
    terminal.type_until("\x1a", "Stopped");
    terminal.type("kill %1; ssh a1 hostname; echo $((40 + 2)) in the lab\n");
    ASSERT_TRUE(terminal.shows("a1\r\n")) << terminal.seen();
    ASSERT_TRUE(terminal.shows("42 in the lab")) << terminal.seen();
    terminal.type("exit 5\n");
    ASSERT_TRUE(terminal.shows("status 5")) << terminal.seen();
    // The caller is in front again: it may read.
    EXPECT_EQ(terminal.foreground(), terminal.pid());
    terminal.type("word\n");
    ASSERT_TRUE(terminal.shows("read word")) << terminal.seen();
    const termios after = terminal.settings();
    EXPECT_EQ(after.c_lflag, before.c_lflag);
    EXPECT_EQ(after.c_iflag, before.c_iflag);
    EXPECT_EQ(after.c_oflag, before.c_oflag);
    EXPECT_EQ(terminal.wait(), 0);
}

} // namespace
} // namespace alltold::lab_tests

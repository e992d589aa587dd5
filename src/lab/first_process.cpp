// SPDX-License-Identifier: BSD-3-Clause
#include "lab/first_process.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "lab/launchers.hpp"
#include "lab/watch.hpp"

namespace alltold::lab {
namespace {

constexpr std::chrono::seconds patience{
    5}; ///< from a signal to the command until everything is killed

/// All running parts of the lab.
struct Running {
    Network network;
    Shared* shared = nullptr;
    std::optional<Watch> watch; ///< from just before the command starts
    pid_t relay = -1;
    pid_t command = -1;
    Fd signals;
};

void report_to(const Fd& report, const nlohmann::json& message) {
    const std::string text = message.dump();
    if (write(report.get(), text.data(), text.size()) < 0)
        _exit(1); // the parent is gone
}

/// `started`: whether the command ran.
[[noreturn]] void give_up(const Fd& report, const Error& error, bool started) {
    report_to(report, {{"error", error.message},
                       {"status", static_cast<int>(error.status)},
                       {"started", started}});
    _exit(1);
}

[[noreturn]] void become_command(const FirstProcess& self, const Fd& failure) {
    std::vector<std::string> words = self.command;
    if (words.empty()) {
        const char* shell = std::getenv("SHELL");
        words = {shell && *shell ? shell : "/bin/sh"};
    }
    std::vector<char*> argv;
    for (auto& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    for (const auto& [name, value] : launch_environment(self.options))
        setenv(name.c_str(), value.c_str(), 1);
    setpgid(0, 0);
    if (self.foreground) {
        // SIGTTOU is blocked, so a background process may do this.
        tcsetpgrp(STDIN_FILENO, getpid());
    }
    sigprocmask(SIG_SETMASK, &self.callers_mask, nullptr);
    execvp(argv[0], argv.data());
    const std::string why = fmt::format("cannot run '{}': {}", argv[0], std::strerror(errno));
    _exit(write(failure.get(), why.data(), why.size()) < 0 ? 1 : 127);
}

/// Forks the command; fails if it cannot be executed.
Result<pid_t> start_command(const FirstProcess& self) {
    ALLTOLD_TRY(failure, make_pipe());
    const pid_t pid = fork();
    if (pid < 0)
        return system_error("fork");
    if (pid == 0)
        become_command(self, failure->write);
    setpgid(pid, pid); // here too, so that an immediate signal finds the group
    failure->write.reset();
    if (const std::string why = drain(failure->read.get()); !why.empty())
        return bad_input(why);
    return pid;
}

Result<Running> build(const FirstProcess& self) {
    ALLTOLD_TRY_DONE(make_private_mounts(hosts_file(self.options.clusters)));
    if (sethostname("head", 4) != 0)
        return system_error("setting a host name");
    ALLTOLD_TRY_DONE(check_tcp(self.options.tcp));
    ALLTOLD_TRY(shared, map_shared(true));
    ALLTOLD_TRY(network, make_network(self.options));
    Running running;
    running.network = std::move(*network);
    ALLTOLD_TRY_DONE(write_launch_files(self.options, running.network));
    running.relay = fork();
    if (running.relay < 0)
        return system_error("fork");
    if (running.relay == 0) {
        prctl(PR_SET_NAME, "lab-relay");
        relay(*running.network.ports, self.options, **shared);
    }
    const pid_t sleeper = fork();
    if (sleeper < 0)
        return system_error("fork");
    if (sleeper == 0) {
        prctl(PR_SET_NAME, "lab-watch");
        Watch::keep_sleeping(**shared);
    }
    running.shared = *shared;
    running.watch.emplace(running.relay);
    ALLTOLD_TRY_INTO(running.command, start_command(self));
    return running;
}

int exit_status(int wait_status) {
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

/// Collects children; the command's exit status once it has ended.
Result<std::optional<int>> collect(const Running& running) {
    int status = 0;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
        if (WIFSTOPPED(status)) {
            // A lab cannot be suspended, because its network keeps running; see docs/lab.md.
            if (pid == running.command)
                kill(-pid, SIGCONT);
        } else if (pid == running.command) {
            return std::optional<int>(exit_status(status));
        } else if (pid == running.relay) {
            return environment("the lab's relay process died");
        }
    }
    return std::optional<int>();
}

/// Waits for the command to end and forwards signals to it.
Result<int> attend(const FirstProcess& self, const Running& running) {
    using Clock = std::chrono::steady_clock;
    std::optional<int> ending_signal;
    Clock::time_point deadline;
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (ending_signal && left.count() <= 0)
            return 128 + *ending_signal;
        pollfd events[] = {{running.signals.get(), POLLIN, 0}, {self.lifeline.get(), 0, 0}};
        poll(events, 2, ending_signal ? static_cast<int>(left.count()) + 1 : -1);
        if (events[1].revents & (POLLHUP | POLLERR))
            _exit(1); // the supervisor is gone, so the lab ends
        signalfd_siginfo info;
        if (read(running.signals.get(), &info, sizeof info) != sizeof info)
            continue;
        if (info.ssi_signo != SIGCHLD) {
            if (!ending_signal)
                deadline = Clock::now() + patience;
            ending_signal = static_cast<int>(info.ssi_signo);
            kill(-running.command, *ending_signal);
            continue;
        }
        ALLTOLD_TRY(ended, collect(running));
        if (*ended)
            return **ended;
    }
}

} // namespace

void be_first_process(FirstProcess self, const Status& rights) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "lab-first");
    setpgid(0, 0);
    pollfd parent{self.lifeline.get(), 0, 0};
    poll(&parent, 1, 0);
    if (parent.revents & (POLLHUP | POLLERR))
        _exit(1);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    Fd signals(signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
    auto running = rights ? build(self) : Result<Running>(rights.error());
    if (!running)
        give_up(self.report, running.error(), false);
    running->signals = std::move(signals);
    const auto ended = attend(self, *running);
    if (!ended)
        give_up(self.report, ended.error(), true);
    auto counters = read_counters();
    if (!counters)
        give_up(self.report, counters.error(), true);
    report_to(self.report, {{"exit_status", *ended},
                            {"counters", *counters},
                            {"processors", running->watch->report(*running->shared)}});
    _exit(0);
}

} // namespace alltold::lab

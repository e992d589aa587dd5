// SPDX-License-Identifier: BSD-3-Clause
#include "lab/lab.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/text.hpp"
#include "lab/find.hpp"
#include "lab/first_process.hpp"
#include "lab/node.hpp"
#include "lab/watch.hpp"

namespace alltold::lab {

namespace {

/// Saves the state of this process before it becomes a supervisor and restores it.
class Disguise {
  public:
    Disguise() {
        prctl(PR_GET_NAME, name_);
        prctl(PR_SET_NAME, supervisor_name);
        sigset_t ours;
        sigemptyset(&ours);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGTTOU})
            sigaddset(&ours, signal);
        sigprocmask(SIG_BLOCK, &ours, &mask_);
        sigdelset(&ours, SIGTTOU);
        signals_ = Fd(signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK));
        foreground_ = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
    }
    ~Disguise() {
        if (foreground_)
            tcsetpgrp(STDIN_FILENO, getpgrp());
        signalfd_siginfo spent;
        while (read(signals_.get(), &spent, sizeof spent) > 0) {
        }
        sigprocmask(SIG_SETMASK, &mask_, nullptr);
        prctl(PR_SET_NAME, name_);
    }
    Disguise(const Disguise&) = delete;
    Disguise& operator=(const Disguise&) = delete;

    const sigset_t& mask() const { return mask_; }
    int signals() const { return signals_.get(); }
    bool foreground() const { return foreground_; }

  private:
    char name_[16] = {};
    sigset_t mask_;
    Fd signals_;
    bool foreground_ = false;
};

/// In its own user namespace a plain user is root, but only over the lab.
Status become_root_inside(uid_t user, gid_t group) {
    ALLTOLD_TRY_DONE(write_text("/proc/self/setgroups", "deny"));
    ALLTOLD_TRY_DONE(write_text("/proc/self/uid_map", fmt::format("0 {} 1", user)));
    return write_text("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

/// Forks a child with new namespaces, including a user namespace if `own_users`.
pid_t fork_into_namespaces(bool own_users) {
    const unsigned long flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS |
                                CLONE_NEWIPC | (own_users ? CLONE_NEWUSER : 0UL) | SIGCHLD;
    return static_cast<pid_t>(syscall(SYS_clone, flags, nullptr, nullptr, nullptr, 0));
}

Result<pid_t> start(const LabOptions& options, const std::vector<std::string>& command,
                    const Disguise& disguise, Pipe& lifeline, Pipe& report) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    bool own_users = user != 0;
    pid_t pid = fork_into_namespaces(own_users);
    if (pid < 0 && errno == EPERM && !own_users) // root in a container, with few rights
        pid = fork_into_namespaces(own_users = true);
    if (pid < 0)
        return environment(fmt::format(
            "{}: a lab needs root, or a kernel that lets plain users create user namespaces{}",
            system_error("making namespaces").message,
            errno == ENOSPC ? " (see sysctl user.max_user_namespaces)" : ""));
    if (pid == 0) {
        lifeline.write.reset();
        report.read.reset();
        FirstProcess first{options,
                           command,
                           disguise.mask(),
                           disguise.foreground(),
                           std::move(lifeline.read),
                           std::move(report.write)};
        be_first_process(std::move(first),
                         own_users ? become_root_inside(user, group) : Status(Done{}));
    }
    lifeline.read.reset();
    report.write.reset();
    return pid;
}

/// Forwards signals until the report ends; returns the last signal, or 0.
int supervise(pid_t first, const Disguise& disguise, int report, std::string& text) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds patience{10};
    int got_signal = 0;
    Clock::time_point deadline;
    for (;;) {
        if (got_signal != 0 && Clock::now() > deadline)
            kill(first, SIGKILL);
        pollfd events[] = {{disguise.signals(), POLLIN, 0}, {report, POLLIN, 0}};
        poll(events, 2, got_signal != 0 ? 100 : -1);
        signalfd_siginfo info;
        while (read(disguise.signals(), &info, sizeof info) == sizeof info) {
            if (info.ssi_signo == SIGCHLD)
                continue;
            if (got_signal == 0)
                deadline = Clock::now() + patience;
            got_signal = static_cast<int>(info.ssi_signo);
            kill(first, got_signal);
        }
        if (events[1].revents == 0)
            continue;
        char part[4096];
        const ssize_t size = read(report, part, sizeof part);
        if (size > 0)
            text.append(part, static_cast<std::size_t>(size));
        else if (size == 0 || errno != EINTR)
            return got_signal;
    }
}

Result<LabResult> understand(const nlohmann::json& report, int got_signal) {
    LabResult result;
    if (report.is_discarded()) {
        if (got_signal == 0)
            return environment("the lab was killed");
        result.exit_status = 128 + got_signal;
        return result;
    }
    if (report.contains("error"))
        return Error{report["error"], static_cast<ExitStatus>(report["status"].get<int>())};
    result.exit_status = report["exit_status"];
    result.counters = report["counters"];
    result.processors = report["processors"];
    return result;
}

/// The file of --truth: there before the lab starts, since its command may read it, but not after a
/// lab that did not start.
class TruthFile {
  public:
    explicit TruthFile(const LabOptions& options) : options_(options) {
        if (!options.truth_file.empty())
            if (auto before = read_text_file(options.truth_file, truth_kind.name))
                before_ = std::move(*before);
    }

    Status write(const nlohmann::json& processors) const {
        if (options_.truth_file.empty())
            return Done{};
        auto made = truth(options_);
        if (!processors.is_null())
            made["processors"] = processors;
        auto done = replace_text_file(options_.truth_file, made.dump(2) + "\n", truth_kind);
        if (!done)
            return bad_input("--truth " + done.error().message);
        return done;
    }

    /// Makes it what it was before write.
    void take_back() const {
        if (options_.truth_file.empty())
            return;
        if (before_)
            (void)replace_text_file(options_.truth_file, *before_, truth_kind);
        else
            ::unlink(options_.truth_file.c_str());
    }

  private:
    const LabOptions& options_;
    std::optional<std::string> before_;
};

} // namespace

Result<LabResult> run_in_lab(const LabOptions& asked, const std::vector<std::string>& command) {
    LabOptions options = asked;
    if (options.tcp.empty())
        options.tcp = usual_tcp();
    ALLTOLD_TRY_DONE(check_ranks(options, processors_here()));
    if (const auto warning = rate_warning(options, processors_here()); !warning.empty())
        say(fmt::format("alltold: {}\n", warning));
    const TruthFile truth_file(options);
    ALLTOLD_TRY_DONE(truth_file.write(nullptr));
    auto lifeline = make_pipe();
    auto report = make_pipe();
    if (!lifeline || !report)
        return lifeline ? report.error() : lifeline.error();
    const Disguise disguise;
    const auto first = start(options, command, disguise, *lifeline, *report);
    if (!first) {
        truth_file.take_back();
        return first.error();
    }
    std::string text;
    const int got_signal = supervise(*first, disguise, report->read.get(), text);
    while (waitpid(*first, nullptr, 0) < 0 && errno == EINTR) {
    }
    const auto said = nlohmann::json::parse(text, nullptr, false);
    auto result = understand(said, got_signal);
    if (!result && said.is_object() && !said.value("started", true))
        truth_file.take_back();
    if (result)
        ALLTOLD_TRY_DONE(truth_file.write(result->processors));
    return result;
}

const Status& lab_permitted() {
    static const auto permitted = [] {
        LabOptions small;
        small.clusters = Clusters({1, 1});
        const auto tried = run_in_lab(small, {"true"});
        return tried ? Status(Done{}) : Status(tried.error());
    }();
    return permitted;
}

} // namespace alltold::lab

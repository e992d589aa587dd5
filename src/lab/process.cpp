// SPDX-License-Identifier: BSD-3-Clause
#include "lab/process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <fmt/format.h>

namespace alltold::lab {

namespace {

/// An in-memory file that contains `text`, positioned at its start.
Fd text_file(const std::string& text) {
    Fd file(memfd_create("text", MFD_CLOEXEC));
    if (file.open() && (!text.empty() && write(file.get(), text.data(), text.size()) < 0))
        file.reset();
    if (file.open())
        lseek(file.get(), 0, SEEK_SET);
    return file;
}

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

[[noreturn]] void become_tool(const std::vector<std::string>& argv, int in, int out, int err,
                              int netns) {
    std::vector<char*> words;
    for (const auto& word : argv)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (netns >= 0 && setns(netns, CLONE_NEWNET) != 0)
        _exit(126);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    execvp(words[0], words.data());
    _exit(127);
}

} // namespace

Error system_error(const std::string& what) {
    return environment(fmt::format("{}: {}", what, std::strerror(errno)));
}

Result<Pipe> make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return system_error("pipe");
    return Pipe{Fd(ends[0]), Fd(ends[1])};
}

std::string drain(int fd) {
    std::string all;
    char part[4096];
    for (;;) {
        const ssize_t got = read(fd, part, sizeof part);
        if (got > 0)
            all.append(part, static_cast<std::size_t>(got));
        else if (got == 0 || errno != EINTR)
            return all;
    }
}

Result<std::string> run_tool(const std::vector<std::string>& argv, const std::string& input,
                             int netns) {
    const Fd in = text_file(input);
    auto out = make_pipe();
    const Fd err(memfd_create("errors", MFD_CLOEXEC));
    if (!out)
        return out.error();
    if (!in.open() || !err.open())
        return system_error("memory file");
    const pid_t child = fork();
    if (child < 0)
        return system_error("fork");
    if (child == 0)
        become_tool(argv, in.get(), out->write.get(), err.get(), netns);
    out->write.reset();
    const std::string text = drain(out->read.get());
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return text;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return environment(fmt::format("'{}' is missing; install iproute2", argv[0]));
    lseek(err.get(), 0, SEEK_SET);
    const std::string complaint = drain(err.get());
    const auto first = complaint.substr(0, complaint.find('\n'));
    return environment(
        fmt::format("{} failed: {}", argv[0], first.empty() ? last_line(text) : first));
}

Status inside_network(int netns, const std::function<Status()>& work) {
    const Fd home(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
    if (!home.open() || setns(netns, CLONE_NEWNET) != 0)
        return system_error("entering a network namespace");
    auto result = work();
    if (setns(home.get(), CLONE_NEWNET) != 0)
        return system_error("leaving a network namespace");
    return result;
}

Result<std::string> read_text(const std::string& path) {
    const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open())
        return system_error(path);
    return drain(file.get());
}

Status write_text(const std::string& path, const std::string& text, mode_t mode) {
    const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
    if (!file.open() ||
        write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return system_error(path);
    return Done{};
}

} // namespace alltold::lab

// SPDX-License-Identifier: BSD-3-Clause
// Starting, finding and ending processes of a test by a mark in their environment.
#include "job.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace alltold::campaign_tests {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool within(double time_s, const std::function<bool()>& holds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(time_s);
    while (!holds()) {
        if (std::chrono::steady_clock::now() > until)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

/// Whether one of the NUL-separated entries is `entry`.
bool holds_entry(const std::string& environment, const std::string& entry) {
    return ('\0' + environment).find('\0' + entry + '\0') != std::string::npos;
}

void redirect(const fs::path& to, int descriptor) {
    const int file = open(to.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
    dup2(file, descriptor);
    close(file);
}

} // namespace

Job::Job(const std::vector<std::string>& words, const fs::path& out) : out_(out) {
    static int jobs = 0;
    fs::remove(out); // what a job before this one printed there is not this one's
    mark_ = fmt::format("ALLTOLD_TEST_JOB={}.{}", getpid(), jobs++);
    std::vector<char*> argv;
    for (const auto& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ < 0)
        throw std::runtime_error("no process for the test");
    if (pid_ == 0) {
        setpgid(0, 0);
        putenv(mark_.data());
        redirect("/dev/null", STDIN_FILENO);
        redirect(out, STDOUT_FILENO);
        redirect(out.string() + ".err", STDERR_FILENO);
        execvp(argv[0], argv.data());
        _exit(127);
    }
}

Job::~Job() {
    for (const pid_t left : others())
        signal(left, SIGKILL);
    if (!reaped_ && signal(pid_, SIGKILL))
        waitpid(pid_, nullptr, 0);
}

bool Job::signal(pid_t pid, int signal) const {
    if (pid <= 1)
        return false;
    const auto known = others();
    if ((pid != pid_ || reaped_) && std::find(known.begin(), known.end(), pid) == known.end())
        return false;
    return kill(pid, signal) == 0;
}

int Job::wait(double within_s) {
    int status = 0;
    reaped_ = within(within_s, [&] { return waitpid(pid_, &status, WNOHANG) == pid_; });
    if (!reaped_)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Job::printed(int lines, double within_s) const {
    return within(within_s, [&] {
        const auto text = output();
        return std::count(text.begin(), text.end(), '\n') >= lines;
    });
}

std::vector<pid_t> Job::others() const {
    std::vector<pid_t> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        if (pid > 0 && pid != pid_ && pid != getpid() &&
            holds_entry(content(entry.path() / "environ"), mark_))
            found.push_back(pid);
    }
    return found;
}

bool Job::vanished(double within_s) const {
    return within(within_s, [&] { return others().empty(); });
}

pid_t Job::rank(int number) const {
    for (const pid_t pid : others()) {
        const auto environment = content(fmt::format("/proc/{}/environ", pid));
        for (const auto* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
            if (holds_entry(environment, fmt::format("{}={}", name, number)))
                return pid;
    }
    return -1;
}

bool Job::catches(int number, int signal, double within_s) const {
    return within(within_s, [&] {
        const auto status = content(fmt::format("/proc/{}/status", rank(number)));
        const auto at = status.find("SigCgt:");
        return at != status.npos &&
               (std::stoull(status.substr(at + 7), nullptr, 16) >> (signal - 1) & 1) != 0;
    });
}

std::string Job::output() const {
    return content(out_);
}

std::string Job::errors() const {
    return content(out_.string() + ".err");
}

} // namespace alltold::campaign_tests

// SPDX-License-Identifier: BSD-3-Clause
#include "lab/find.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "core/text.hpp"
#include "lab/process.hpp"
#include "lab/state.hpp"

namespace alltold::lab {

namespace {

/// Field 22 of /proc/PID/stat, in clock ticks since boot, against the machine's uptime.
double age_s(const std::string& folder) {
    const auto stat = read_text(folder + "/stat");
    const auto uptime = read_text("/proc/uptime");
    if (!stat || !uptime)
        return 0;
    std::size_t at = stat->rfind(')');
    for (int field = 2; field < 22 && at != std::string::npos; ++field)
        at = stat->find(' ', at + 1);
    if (at == std::string::npos)
        return 0;
    const double started_s =
        std::stod(stat->substr(at)) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return std::max(0.0, std::stod(*uptime) - started_s);
}

/// The text of a regular file of at most 1 MiB, several times the truth of a lab of most_hosts. It
/// does not wait for a pipe: the process that `path` leads into need not be a lab's.
std::string small_text(const std::string& path) {
    const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    const bool small = file.open() && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                       status.st_size <= 1 << 20;
    return small ? drain(file.get()) : "";
}

/// From the truth that the lab's first process, the supervisor's only child, has mounted.
std::optional<Clusters> clusters_of(pid_t supervisor) {
    const auto children = read_text(fmt::format("/proc/{0}/task/{0}/children", supervisor));
    if (!children)
        return std::nullopt;
    const auto text = small_text(fmt::format("/proc/{}/root{}/truth.json",
                                             children->substr(0, children->find(' ')), state_dir));
    const auto truth = nlohmann::json::parse(text, nullptr, false);
    if (!truth.is_object() || !truth.contains("clusters") || !truth["clusters"].is_string())
        return std::nullopt;
    auto clusters = Clusters::parse(truth["clusters"].get<std::string>());
    return clusters ? std::optional(std::move(*clusters)) : std::nullopt;
}

/// Whether it has a supervisor's name and is this user's; anyone may give a process that name.
bool supervises(pid_t pid) {
    const auto folder = fmt::format("/proc/{}", pid);
    const auto name = read_text(folder + "/comm");
    struct stat status {};
    return name && *name == std::string(supervisor_name) + "\n" &&
           stat(folder.c_str(), &status) == 0 && status.st_uid == geteuid();
}

} // namespace

std::vector<RunningLab> running_labs() {
    std::vector<RunningLab> labs;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        const auto pid = static_cast<pid_t>(std::stol(name));
        if (!supervises(pid))
            continue;
        auto command = read_text(entry.path().string() + "/cmdline");
        if (!command)
            continue;
        while (!command->empty() && command->back() == '\0')
            command->pop_back();
        labs.push_back({pid, plain_text(*command), age_s(entry.path().string()), clusters_of(pid)});
    }
    std::sort(labs.begin(), labs.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
    return labs;
}

Status take_down(pid_t pid) {
    if (!supervises(pid))
        return bad_input(fmt::format(
            "process {} is not a lab of yours; 'alltold lab status' lists the running labs", pid));
    if (kill(pid, SIGTERM) != 0)
        return system_error(fmt::format("stopping lab {}", pid));
    using namespace std::chrono_literals;
    const auto deadline = std::chrono::steady_clock::now() + 8s;
    while (supervises(pid)) {
        if (std::chrono::steady_clock::now() > deadline)
            kill(pid, SIGKILL);
        std::this_thread::sleep_for(20ms);
    }
    return Done{};
}

} // namespace alltold::lab

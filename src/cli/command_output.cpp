// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_output.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace alltold::cli {
namespace {

constexpr const char* variable = "ALLTOLD_COMMAND";

bool plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("/._-+~@").find(c) != std::string_view::npos;
}

} // namespace

void keep_command_name(const char* called) {
    if (called && *called)
        ::setenv(variable, called, 0);
}

std::string command_name() {
    const char* kept = std::getenv(variable);
    const std::string name = kept && *kept ? kept : "alltold";
    return std::ranges::all_of(name, plain) ? name : quoted(name);
}

std::string see_help(const std::string& subcommand) {
    const auto word = subcommand.empty() ? "" : " " + subcommand;
    return "see '" + command_name() + word + " --help'";
}

namespace {

/// Runs the command in this process, which is a child's. It gets SIGTERM when `parent` ends, by
/// whatever signal: a launcher would go on, with its ranks.
[[noreturn]] void become(const std::string& command, pid_t parent, int output, int errors) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent)
        ::_exit(1);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    ::_exit(127);
}

} // namespace

Result<std::string> output_of(const std::string& command, const Variables& variables) {
    // Launchers warn of what does no harm. The file has no name, so that a kill leaves none.
    const std::unique_ptr<FILE, int (*)(FILE*)> errors(std::tmpfile(), std::fclose);
    if (!errors)
        return environment("cannot make a temporary file");
    for (const auto& [name, value] : variables)
        ::setenv(name.c_str(), value.c_str(), 1);
    std::array<int, 2> ends{-1, -1};
    const pid_t self = ::getpid();
    const pid_t child = ::pipe2(ends.data(), O_CLOEXEC) == 0 ? ::fork() : -1;
    if (child == 0)
        become(command, self, ends[1], ::fileno(errors.get()));
    for (const auto& [name, value] : variables)
        ::unsetenv(name.c_str());
    ::close(ends[1]);
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::fdopen(ends[0], "r"), std::fclose);
    if (child < 0 || !pipe)
        return environment(fmt::format("cannot start: {}", command));
    std::string text;
    char part[4096];
    while (const auto count = std::fread(part, 1, sizeof part, pipe.get()))
        text.append(part, count);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        std::rewind(errors.get());
        while (const auto count = std::fread(part, 1, sizeof part, errors.get()))
            std::fwrite(part, 1, count, stderr);
        return environment(fmt::format("the launcher failed: {}", command));
    }
    return text;
}

Status may_write_output(const std::string& file, const FileKind& kind) {
    return file.empty() || file == "-" ? Done{} : may_replace(file, kind);
}

Status write_output(const std::string& file, const std::string& text, const FileKind& kind) {
    if (!file.empty() && file != "-")
        return replace_text_file(file, text, kind);
    fmt::print("{}", text);
    return Done{};
}

std::string own_program() {
    return std::filesystem::read_symlink("/proc/self/exe").string();
}

Status check_program(const std::string& program) {
    const auto cannot = [&](int code) {
        return bad_input(fmt::format("cannot run '{}': {}", program, std::strerror(code)));
    };
    if (program.find('/') != program.npos)
        return ::access(program.c_str(), X_OK) == 0 ? Status(Done{}) : cannot(errno);
    const char* folders = std::getenv("PATH");
    for (auto rest = std::string_view(folders ? folders : "/bin:/usr/bin");;) {
        const auto folder = rest.substr(0, rest.find(':'));
        const auto file = std::filesystem::path(folder.empty() ? "." : folder) / program;
        if (::access(file.c_str(), X_OK) == 0)
            return Done{};
        if (folder.size() == rest.size())
            return cannot(ENOENT);
        rest.remove_prefix(folder.size() + 1);
    }
}

} // namespace alltold::cli

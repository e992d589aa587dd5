// SPDX-License-Identifier: BSD-3-Clause
// popen, with variables that are ours only as long as it takes, and a search of the PATH as execvp
// does.
#include "cli/command_output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace alltold::cli {

Result<std::string> output_of(const std::string& command, const Variables& variables) {
    // Launchers warn of what does no harm. The file has no name, so that a kill leaves none.
    const std::unique_ptr<FILE, int (*)(FILE*)> errors(std::tmpfile(), std::fclose);
    if (!errors)
        return environment("cannot make a temporary file");
    for (const auto& [name, value] : variables)
        ::setenv(name.c_str(), value.c_str(), 1);
    const auto quiet = fmt::format("{{ {}; }} 2>/dev/fd/{}", command, ::fileno(errors.get()));
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(quiet.c_str(), "r"), ::pclose);
    for (const auto& [name, value] : variables)
        ::unsetenv(name.c_str());
    if (!pipe)
        return environment(fmt::format("cannot start: {}", command));
    std::string text;
    char part[4096];
    while (const auto count = std::fread(part, 1, sizeof part, pipe.get()))
        text.append(part, count);
    const int status = ::pclose(pipe.release());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        while (const auto count = std::fread(part, 1, sizeof part, errors.get()))
            std::fwrite(part, 1, count, stderr);
        return environment(fmt::format("the launcher failed: {}", command));
    }
    return text;
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

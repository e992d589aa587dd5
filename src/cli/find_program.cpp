// SPDX-License-Identifier: BSD-3-Clause
// Looks through the PATH as execvp does.
#include "cli/find_program.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace alltold::cli {

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

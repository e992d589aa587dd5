// SPDX-License-Identifier: BSD-3-Clause
#include "cli/installed.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/command_output.hpp"

namespace alltold::cli {

namespace fs = std::filesystem;

Result<std::string> installed_library(const std::string& subcommand, const std::string& file,
                                      std::span<const char* const> mpi_libraries) {
    std::error_code failed;
    const auto prefix = fs::path(own_program()).parent_path().parent_path();
    for (const auto* folder : {"lib", ALLTOLD_LIBDIR})
        for (const auto* mpi : mpi_libraries)
            if (auto path = prefix / folder / "alltold" / mpi / file; fs::exists(path, failed))
                return path.string();
    if (fs::exists(prefix / "CMakeCache.txt", failed))
        return environment(fmt::format("{}: {} is not built; run scripts/build {} program",
                                       subcommand, file, prefix.filename().string()));
    return environment(fmt::format("{}: {} is not in {}; install the component program", subcommand,
                                   file, (prefix / ALLTOLD_LIBDIR / "alltold").string()));
}

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// alltold describe: writes the man pages and completions that the build installs.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "cli/completions.hpp"
#include "cli/manual.hpp"
#include "cli/subcommand.hpp"

namespace alltold::cli {
namespace {

namespace fs = std::filesystem;

Status write_file(const fs::path& path, const std::string& text) {
    std::ofstream stream(path);
    stream << text;
    stream.close();
    if (!stream)
        return environment(
            fmt::format("describe: cannot write {}: {}", path.string(), std::strerror(errno)));
    return Done{};
}

Result<ExitStatus> write_descriptions(const CLI::App& app, const fs::path& folder) {
    const std::string version = "alltold " ALLTOLD_VERSION;
    const auto program = described(app);
    std::vector<std::pair<fs::path, std::string>> files{
        {"alltold.bash", bash_completion(program)},
        {"_alltold", zsh_completion(program)},
        {"alltold.fish", fish_completion(program)},
        {"man1/alltold.1", program_page(program, version)},
    };
    for (const auto& subcommand : program.subcommands)
        files.emplace_back("man1/alltold-" + subcommand.name + ".1",
                           subcommand_page(subcommand, version));
    std::error_code failed;
    fs::create_directories(folder / "man1", failed);
    for (const auto& [name, text] : files)
        if (auto written = write_file(folder / name, text); !written)
            return written.error();
    return ExitStatus::done;
}

} // namespace

void declare_describe(CLI::App& app, Action& chosen) {
    const auto folder = std::make_shared<std::string>();
    auto& subcommand =
        add_subcommand(app, "describe", "Writes man pages and shell completions into a folder",
                       "alltold describe build/release/share");
    subcommand.group(""); // for the build, not for users
    subcommand.add_option("folder", *folder)->required();
    subcommand.callback(
        [=, &app, &chosen] { chosen = [=, &app] { return write_descriptions(app, *folder); }; });
}

} // namespace alltold::cli

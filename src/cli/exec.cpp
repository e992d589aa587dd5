// SPDX-License-Identifier: BSD-3-Clause
// alltold exec: runs a program with our collectives in front of its MPI library's.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/collective_options.hpp"
#include "cli/command_output.hpp"
#include "cli/input_files.hpp"
#include "cli/installed.hpp"
#include "cli/timing_options.hpp"
#include "core/text_file.hpp"
#include "network/json/profile_network.hpp"

namespace alltold::cli {
namespace {

namespace fs = std::filesystem;

struct ExecArguments {
    std::string profile, rules, clusters, host_file;
    std::vector<std::string> command;
};

/// For any MPI library: it finds the right one itself.
Result<std::string> preload_library() {
    constexpr std::array mpi_libraries{"openmpi", "mpich"};
    return installed_library("exec", "liballtold-preload.so", mpi_libraries);
}

/// Sets `name` to `value`, unless that is empty. Paths are made absolute: programs change folders.
void set(const char* name, const std::string& value) {
    if (!value.empty())
        setenv(name, value.c_str(), 1);
}

/// The absolute path of a file with this text. Fails where that could not be read.
Result<std::string> absolute(const std::string& file, const Result<std::string>& text) {
    if (!text)
        return bad_input("exec: " + text.error().message);
    return fs::absolute(file).string();
}

/// The profile's absolute path. Fails when it cannot be read.
Result<std::string> absolute_profile(const ExecArguments& asked) {
    ALLTOLD_TRY(file, in_context("exec", profile_path(asked.profile)));
    if (file->empty())
        return *file;
    return absolute(*file,
                    read_profile_file(*file, "--profile to name a profile made by 'alltold fit'"));
}

/// The rules, or their file's absolute path. Fails for rules that cannot be parsed.
Result<std::string> checked_rules(const std::string& rules) {
    if (const auto parsed = parse_rules_flag(rules); !parsed)
        return bad_input("exec: " + parsed.error().message);
    return rules.empty() || rules.find('=') != rules.npos ? rules : fs::absolute(rules).string();
}

Status check_clusters(const std::string& clusters) {
    if (!clusters.empty() && clusters != "auto")
        ALLTOLD_TRY_DONE(in_context("exec", parse_clusters(clusters)));
    return Done{};
}

Status set_environment(const ExecArguments& asked) {
    ALLTOLD_TRY_DONE(check_clusters(asked.clusters));
    ALLTOLD_TRY(profile, absolute_profile(asked));
    std::string host_file;
    if (!asked.host_file.empty())
        ALLTOLD_TRY_INTO(
            host_file,
            absolute(asked.host_file, read_text_file(asked.host_file, "a launcher's host file")));
    ALLTOLD_TRY(rules, checked_rules(asked.rules));
    set("ALLTOLD_PROFILE", *profile);
    set("ALLTOLD_HOSTFILE", host_file);
    set("ALLTOLD_RULES", *rules);
    set("ALLTOLD_CLUSTERS", asked.clusters);
    ALLTOLD_TRY(library, preload_library());
    if (const auto at = library->find_first_of(": $"); at != library->npos)
        return environment(fmt::format("exec: {} has '{}' in its name, which LD_PRELOAD cannot "
                                       "hold; install alltold in another folder",
                                       *library, (*library)[at]));
    const char* others = std::getenv("LD_PRELOAD");
    set("LD_PRELOAD", others && *others ? *library + ":" + others : *library);
    return Done{};
}

Result<ExitStatus> execute(ExecArguments& asked) {
    if (!asked.command.empty() && asked.command.front() == "--")
        asked.command.erase(asked.command.begin());
    else if (!asked.command.empty() && asked.command.front().starts_with('-'))
        return bad_input(
            fmt::format("exec: unknown option '{}'; {}", asked.command.front(), see_help("exec")));
    if (asked.command.empty())
        return bad_input("exec: a program is missing; " + see_help("exec"));
    ALLTOLD_TRY_DONE(in_context("exec", check_program(asked.command.front())));
    ALLTOLD_TRY_DONE(set_environment(asked));
    std::vector<char*> words;
    for (auto& word : asked.command)
        words.push_back(word.data());
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    return bad_input(
        fmt::format("exec: cannot run '{}': {}", asked.command.front(), std::strerror(errno)));
}

} // namespace

void drop_dashes(std::vector<char*>& words) {
    for (std::size_t i = 2; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--") {
            words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
        if (!word.starts_with('-'))
            return;
        if (word.find('=') == word.npos)
            ++i; // the option's value
    }
}

void declare_exec(CLI::App& app, Action& chosen) {
    const auto asked = std::make_shared<ExecArguments>();
    auto& subcommand = add_subcommand(
        app, "exec",
        "Runs an unmodified MPI program with the collectives that a profile's rules choose",
        "mpirun -n 12 alltold exec --profile net.json -- ./program");
    subcommand.add_option(
        "--profile", asked->profile,
        "profile with rules (default: ALLTOLD_PROFILE, else that of the site for these hosts)");
    subcommand.add_option("--rules", asked->rules,
                          "rules that take precedence over the profile's: a file, or rules such as "
                          "'alltoall:64KiB- = alltoall.pairwise' (default: ALLTOLD_RULES)");
    subcommand.add_option(
        "--clusters", asked->clusters,
        "ranks per cluster in rank order, such as 6+6, or hosts x ranks per host, such as 6x4 "
        "(default: ALLTOLD_CLUSTERS, else --hostfile, else from the profile's hosts)");
    subcommand.add_option("--hostfile", asked->host_file,
                          "the launcher's host file, with clusters named by '# cluster: NAME' "
                          "comments (default: ALLTOLD_HOSTFILE)");
    subcommand.prefix_command(); // the program's options are its own, with or without --
    subcommand.footer("PROGRAM [ARGUMENT...] follows the options.");
    auto* const parsed = &subcommand;
    subcommand.callback([=, &chosen] {
        asked->command = parsed->remaining();
        chosen = [asked] { return execute(*asked); };
    });
}

} // namespace alltold::cli

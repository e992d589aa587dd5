// SPDX-License-Identifier: BSD-3-Clause
// alltold lint: what an MPI library will do with a rules file that its writer will not have meant.
#include <memory>

#include <fmt/format.h>

#include "cli/subcommand.hpp"
#include "core/text_file.hpp"
#include "rulefile/lint.hpp"
#include "store/json_text.hpp"

namespace alltold::cli {
namespace {

struct LintArguments {
    std::string file, target;
    bool json = false;
};

std::string text_of(const rulefile::Lint& lint, const std::string& file) {
    std::string text;
    for (const auto& [line, what, right] : lint.findings)
        text += fmt::format("{}:{}: {}\n    right: {}\n", file, line, what, right);
    if (lint.findings.empty())
        text = fmt::format("{}: {}, nothing wrong\n", file, name_of(lint.format));
    return text;
}

nlohmann::ordered_json json_of(const rulefile::Lint& lint, const std::string& file) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [line, what, right] : lint.findings)
        list.push_back({{"line", line}, {"what", what}, {"right", right}});
    return {{"file", file}, {"format", name_of(lint.format)}, {"findings", std::move(list)}};
}

Result<ExitStatus> run_lint(const LintArguments& asked) {
    rulefile::Target target;
    if (!asked.target.empty())
        ALLTOLD_TRY_INTO(target, in_context("--for", rulefile::parse_target(asked.target)));
    ALLTOLD_TRY(text, read_text_file(asked.file, "a rules file of Open MPI or MPICH"));
    ALLTOLD_TRY(lint, in_context(asked.file, rulefile::lint(*text, target)));
    fmt::print("{}",
               asked.json ? json_text(json_of(*lint, asked.file)) : text_of(*lint, asked.file));
    return lint->findings.empty() ? ExitStatus::done : ExitStatus::no;
}

} // namespace

void declare_lint(CLI::App& app, Action& chosen) {
    auto asked = std::make_shared<LintArguments>();
    auto& subcommand = add_subcommand(
        app, "lint", "Finds what Open MPI or MPICH ignores or misreads in a rules file",
        "alltold lint openmpi.rules --for openmpi-4.1");
    subcommand.footer("Exit status 1 if anything was found.");
    subcommand.add_option("file", asked->file, "rules of Open MPI, or a selection tree of MPICH")
        ->required();
    subcommand.add_option(
        "--for", asked->target,
        "library that will read the file: openmpi-4.1, openmpi-5.0.7, openmpi-6.0, "
        "mpich-4.0, ... (default: report only what goes wrong in all versions)");
    subcommand.add_flag("--json", asked->json, "print JSON");
    subcommand.callback([asked, &chosen] { chosen = [asked] { return run_lint(*asked); }; });
}

} // namespace alltold::cli

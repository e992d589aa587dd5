// SPDX-License-Identifier: BSD-3-Clause
// alltold describe: writes the man pages that the build installs.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "cli/described.hpp"
#include "cli/subcommand.hpp"

namespace alltold::cli {
namespace {

std::string plain_troff(std::string_view text) {
    std::string escaped;
    bool starts_line = true;
    for (const char c : text) {
        if (starts_line && (c == '.' || c == '\''))
            escaped += "\\&";
        escaped += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
        starts_line = c == '\n';
    }
    return escaped;
}

std::string bold(std::string_view text) {
    return "\\fB" + plain_troff(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + plain_troff(text) + "\\fR";
}

/// "alltold-export" for "export".
std::string page_name(const DescribedCommand& command) {
    return command.name.empty() ? "alltold" : "alltold-" + command.name;
}

std::string page_head(const DescribedCommand& command, const std::string& version) {
    auto title = page_name(command);
    std::ranges::transform(title, title.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    auto what = command.description;
    while (what.ends_with('.'))
        what.pop_back();
    return fmt::format(".\\\" Written by the program itself from what it prints for --help.\n"
                       ".TH \"{}\" 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                       plain_troff(title), plain_troff(version), plain_troff(page_name(command)),
                       plain_troff(what));
}

std::string synopsis_line(const DescribedCommand& command) {
    auto line = bold(command.name.empty() ? "alltold" : "alltold " + command.name);
    if (!command.options.empty())
        line += " [" + italic("OPTION") + "...]";
    for (const auto& argument : command.arguments) {
        auto name = italic(argument.names.front());
        if (argument.several)
            name += "...";
        if (argument.names.front() == "command" || argument.names.front() == "launcher")
            name = bold("--") + " " + name;
        line += argument.required ? " " + name : " [" + name + "]";
    }
    if (command.arguments.empty() && command.runs_command)
        line += " [" + bold("--") + "] " + italic("PROGRAM") + " [" + italic("ARGUMENT") + "...]";
    return line + "\n";
}

/// The arguments and options, one paragraph each.
std::string option_paragraphs(const DescribedCommand& command) {
    std::string text;
    for (const auto& argument : command.arguments)
        text += fmt::format(".TP\n{}\n{}\n", italic(argument.names.front()),
                            plain_troff(argument.description));
    for (const auto& option : command.options) {
        std::string names;
        for (const auto& name : option.names)
            names += (names.empty() ? "" : ", ") + bold(name);
        if (!option.value.empty())
            names += " " + italic(option.value);
        text += fmt::format(".TP\n{}\n{}\n", names, plain_troff(option.description));
    }
    return text;
}

/// The lines of an example; those after the first are indented in --help.
std::string example_lines(const std::string& example) {
    std::string text;
    for (std::size_t from = 0; from < example.size();) {
        const auto to = std::min(example.find('\n', from), example.size());
        const auto line = std::string_view(example).substr(from, to - from);
        const auto start = std::min(line.find_first_not_of(' '), line.size());
        text += ".PP\n.nf\n.RS\n" + plain_troff(line.substr(start)) + "\n.RE\n.fi\n";
        from = to + 1;
    }
    return text;
}

std::string paragraph(const std::string& text) {
    return text.empty() ? "" : ".PP\n" + plain_troff(text) + "\n";
}

constexpr std::string_view exit_status =
    ".SH EXIT STATUS\n"
    ".TP\n0\nsuccess\n"
    ".TP\n1\nthe answer is no: a check failed, a fit was refused\n"
    ".TP\n2\nbad usage or bad input\n"
    ".TP\n3\nthe environment cannot do it\n"
    ".PP\nOnce the command of lab or exec runs, the exit status is that of the command.\n";

constexpr std::string_view elsewhere =
    "/usr/share/doc/alltold, or the folder docs of the source, explains models, files, "
    "environment variables and options in full.\n";

/// alltold(1), or alltold-rank(1) and so on with the subcommands of a subcommand, in the language
/// of man(7). Hyphens are escaped, so options can be copied.
std::string page_of(const DescribedCommand& command, const std::string& version) {
    auto text = page_head(command, version) + ".SH SYNOPSIS\n" + synopsis_line(command);
    std::string described = ".SH SUBCOMMANDS\n", examples = ".SH EXAMPLES\n";
    examples += example_lines(command.example);
    for (const auto& further : command.subcommands) {
        text += ".br\n" + synopsis_line(further);
        described += ".SS " + bold("alltold " + further.name) + "\n" +
                     plain_troff(further.description) + ".\n" + paragraph(further.footer);
        if (command.name.empty())
            continue; // it has a page of its own
        described += option_paragraphs(further);
        examples += example_lines(further.example);
    }
    return text + ".SH DESCRIPTION\n" + plain_troff(command.description) + ".\n" +
           paragraph(command.footer) + ".SH OPTIONS\n" + option_paragraphs(command) +
           (command.subcommands.empty() ? "" : described) + (command.name.empty() ? "" : examples) +
           std::string(exit_status) + ".SH SEE ALSO\n" + bold("alltold") + "(1)\n.PP\n" +
           plain_troff(elsewhere);
}

namespace fs = std::filesystem;

Result<ExitStatus> write_descriptions(const CLI::App& app, const fs::path& folder) {
    const std::string version = "alltold " ALLTOLD_VERSION;
    auto program = described(app);
    auto pages = std::move(program.subcommands);
    program.subcommands = pages;
    pages.push_back(std::move(program));
    std::error_code failed;
    fs::create_directories(folder / "man1", failed);
    for (const auto& page : pages) {
        const auto path = folder / "man1" / (page_name(page) + ".1");
        std::ofstream stream(path);
        stream << page_of(page, version);
        stream.close();
        if (!stream)
            return environment(
                fmt::format("describe: cannot write {}: {}", path.string(), std::strerror(errno)));
    }
    return ExitStatus::done;
}

} // namespace

void declare_describe(CLI::App& app, Action& chosen) {
    const auto folder = std::make_shared<std::string>();
    auto& subcommand = add_subcommand(app, "describe", "Writes man pages into a folder",
                                      "alltold describe build/release/share");
    subcommand.group(""); // for the build, not for users
    subcommand.add_option("folder", *folder)->required();
    subcommand.callback(
        [=, &app, &chosen] { chosen = [=, &app] { return write_descriptions(app, *folder); }; });
}

} // namespace alltold::cli

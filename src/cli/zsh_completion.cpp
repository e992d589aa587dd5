// SPDX-License-Identifier: BSD-3-Clause
// One function for each subcommand, which calls _arguments.
#include "cli/completions.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold::cli {
namespace {

/// Inside single quotes, with `special` characters after backslashes.
std::string zsh_text(std::string_view text, std::string_view special) {
    std::string escaped;
    for (const char c : text) {
        if (special.find(c) != special.npos)
            escaped += '\\';
        escaped += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return escaped;
}

std::string zsh_function(const DescribedCommand& command) {
    std::string name = "_alltold";
    for (const char c : command.name.empty() ? "" : "_" + command.name)
        name += c == ' ' || c == '-' ? '_' : c;
    return name;
}

/// What completes a value: files, words, or both.
std::string zsh_values(const DescribedOption& option, bool list) {
    if (option.words.empty())
        return option.files ? "_files" : " ";
    const auto words = fmt::format("{}", fmt::join(option.words, " "));
    if (option.files)
        return fmt::format("{{_alternative \"files:file:_files\" \"words:word:({})\"}}", words);
    return list ? "_sequence compadd - " + words : "(" + words + ")";
}

std::string zsh_option(const DescribedOption& option) {
    auto text = fmt::format("[{}]", zsh_text(option.description, "[]"));
    if (!option.value.empty())
        text += fmt::format(":{}:{}", option.value, zsh_values(option, true));
    if (option.names.size() == 1)
        return fmt::format(
            "'{}{}{}'", option.names.front(),
            option.value.empty() || !option.names.front().starts_with("--") ? "" : "=", text);
    std::string names;
    for (const auto& name : option.names)
        names += (names.empty() ? "" : ",") + name +
                 (!option.value.empty() && name.starts_with("--") ? "=" : "");
    return fmt::format("'({})'{{{}}}'{}'", fmt::join(option.names, " "), names, text);
}

/// The name of a subcommand with what it does, for _describe.
std::string zsh_subcommand(const DescribedCommand& command) {
    return fmt::format("'{}:{}'", command.name.substr(command.name.rfind(' ') + 1),
                       zsh_text(command.description, ":"));
}

/// Completes the name of a subcommand, then calls the function of the one that was typed.
std::string zsh_branches(const DescribedCommand& command) {
    std::string names, branches;
    for (const auto& subcommand : command.subcommands) {
        names += "                " + zsh_subcommand(subcommand) + "\n";
        branches += fmt::format("                {}) {} ;;\n",
                                subcommand.name.substr(subcommand.name.rfind(' ') + 1),
                                zsh_function(subcommand));
    }
    return fmt::format("    case $state in\n"
                       "        subcommand)\n"
                       "            local -a subcommands=(\n{}            )\n"
                       "            _describe subcommand subcommands\n{}"
                       "            ;;\n"
                       "        rest)\n"
                       "            case $words[1] in\n{}{}            esac\n"
                       "            ;;\n"
                       "    esac\n",
                       names, command.runs_command ? "            _command_names -e\n" : "",
                       branches, command.runs_command ? "                *) _normal ;;\n" : "");
}

std::string zsh_commands(const DescribedCommand& command) {
    std::string text;
    for (const auto& subcommand : command.subcommands)
        text += zsh_commands(subcommand);
    text +=
        fmt::format("\n{}()\n{{\n    local curcontext=$curcontext context state state_descr line\n"
                    "    typeset -A opt_args\n    _arguments -C -S",
                    zsh_function(command));
    for (const auto& option : command.options)
        text += " \\\n        " + zsh_option(option);
    int place = 0;
    for (const auto& argument : command.arguments)
        if (argument.names.front() != "command" && argument.names.front() != "launcher")
            text += fmt::format(" \\\n        '{}:{}:{}'",
                                argument.several ? "*" : fmt::format("{}", ++place),
                                argument.names.front(), zsh_values(argument, false));
    if (!command.subcommands.empty())
        text += " \\\n        '1:subcommand:->subcommand' \\\n        '*::rest:->rest'";
    else if (command.runs_command)
        text += " \\\n        '*::command: _normal'";
    text += "\n";
    if (!command.subcommands.empty())
        text += zsh_branches(command);
    return text + "}\n";
}

} // namespace

std::string zsh_completion(const DescribedCommand& program) {
    return "#compdef alltold\n# zsh completion for alltold, written by the program itself\n" +
           zsh_commands(program) + "\n_alltold \"$@\"\n";
}

} // namespace alltold::cli

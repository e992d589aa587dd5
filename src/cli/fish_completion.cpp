// SPDX-License-Identifier: BSD-3-Clause
// One complete command for each subcommand and option.
#include "cli/completions.hpp"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold::cli {
namespace {

constexpr const char* fish_start = R"(# fish completion for alltold, written by the program itself

# Whether these subcommands, and none of those after --not, come first among the words without a dash.
function __alltold_at
    set -l typed (commandline -opc | tail -n +2 | string match -v -- '-*')
    set -l wanted
    set -l excluded
    set -l list wanted
    for word in $argv
        if test $word = --not
            set list excluded
        else
            set -a $list $word
        end
    end
    for i in (seq (count $wanted))
        test "$typed[$i]" = $wanted[$i]; or return 1
    end
    set -l next (math (count $wanted) + 1)
    not contains -- "$typed[$next]" $excluded
end

complete -c alltold -f
)";

/// Inside single quotes.
std::string fish_text(std::string_view text) {
    std::string escaped;
    for (const char c : text)
        escaped += c == '\'' ? "\\'" : c == '\\' ? "\\\\" : std::string(1, c);
    return escaped;
}

/// The condition under which a subcommand's words are offered.
std::string fish_at(const DescribedCommand& command) {
    auto at = "__alltold_at" + (command.name.empty() ? "" : " " + command.name);
    if (!command.subcommands.empty() || command.name.empty())
        at += " --not";
    for (const auto& subcommand : command.subcommands)
        at += " " + subcommand.name.substr(subcommand.name.rfind(' ') + 1);
    return at;
}

std::string fish_option(const std::string& start, const DescribedOption& option) {
    auto line = start;
    for (const auto& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty())
        line += option.words.empty() && option.files ? " -rF" : " -x";
    if (!option.words.empty())
        line += fmt::format(" -a '(__fish_append , {})'", fmt::join(option.words, " "));
    return line + fmt::format(" -d '{}'\n", fish_text(option.description));
}

std::string fish_lines(const DescribedCommand& command) {
    const auto start = fmt::format("complete -c alltold -n '{}'", fish_at(command));
    std::string text;
    for (const auto& subcommand : command.subcommands)
        text += fmt::format("{} -a {} -d '{}'\n", start,
                            subcommand.name.substr(subcommand.name.rfind(' ') + 1),
                            fish_text(subcommand.description));
    for (const auto& option : command.options)
        text += fish_option(start, option);
    for (const auto& argument : command.arguments) {
        if (!argument.words.empty())
            text += fmt::format("{} -a '{}'\n", start, fmt::join(argument.words, " "));
        if (argument.files && argument.names.front() != "command" &&
            argument.names.front() != "launcher")
            text += start + " -F\n";
    }
    if (command.runs_command)
        text += start + " -a '(__fish_complete_subcommand --fcs-skip=2)'\n";
    for (const auto& subcommand : command.subcommands)
        text += fish_lines(subcommand);
    return text;
}

} // namespace

std::string fish_completion(const DescribedCommand& program) {
    return fish_start + fish_lines(program);
}

} // namespace alltold::cli

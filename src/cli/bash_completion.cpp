// SPDX-License-Identifier: BSD-3-Clause
// One function with the words of each subcommand; where it offers none, bash completes files.
#include "cli/completions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold::cli {
namespace {

constexpr const char* bash_start = R"(# bash completion for alltold, written by the program itself

_alltold()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" i
    local names="" words="" values="" head=""
    COMPREPLY=()
    # Bash makes three words of "--name=value" and two of "@network".
    if [[ $word == = ]]; then
        word=""
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $before == @ ]]; then
        word=@$word
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            # The rest is a command of its own.
            if declare -F _command_offset >/dev/null; then
                _command_offset $((i + 1))
            elif ((COMP_CWORD == i + 1)); then
                mapfile -t COMPREPLY < <(compgen -c -- "$word")
            fi
            return
        fi
        case $command:${COMP_WORDS[i]} in
)";

constexpr const char* bash_end = R"(    esac
    if [[ $values == - ]]; then
        return
    elif [[ $values ]]; then
        # In a list the last word is completed.
        [[ $word == *,* ]] && head=${word%,*},
        mapfile -t COMPREPLY < <(compgen -P "$head" -W "$values" -- "${word##*,}")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        [[ $before == @ ]] && COMPREPLY=("${COMPREPLY[@]#@}")
    fi
}
complete -o bashdefault -o default -F _alltold alltold
)";

/// "export:csv" for "export csv", ":export" for "export".
std::string bash_step(const std::string& name) {
    const auto space = name.find(' ');
    return space == name.npos ? ":" + name : name.substr(0, space) + ":" + name.substr(space + 1);
}

std::string bash_steps(const DescribedCommand& command) {
    std::string text;
    for (const auto& subcommand : command.subcommands)
        text += fmt::format("            {}) command=\"{}\" ;;\n", bash_step(subcommand.name),
                            subcommand.name) +
                bash_steps(subcommand);
    return text;
}

/// The names and values of one subcommand.
std::string bash_case(const DescribedCommand& command) {
    std::vector<std::string> names, words;
    std::string values;
    for (const auto& option : command.options) {
        names.insert(names.end(), option.names.begin(), option.names.end());
        if (!option.value.empty())
            values += fmt::format(
                "                {}) values=\"{}\" ;;\n", fmt::join(option.names, " | "),
                option.words.empty() ? "-" : fmt::format("{}", fmt::join(option.words, " ")));
    }
    if (command.runs_command)
        names.emplace_back("--");
    for (const auto& argument : command.arguments)
        words.insert(words.end(), argument.words.begin(), argument.words.end());
    for (const auto& subcommand : command.subcommands)
        words.push_back(subcommand.name.substr(subcommand.name.rfind(' ') + 1));
    auto text = fmt::format("        \"{}\")\n            names=\"{}\"\n            words=\"{}\"\n",
                            command.name, fmt::join(names, " "), fmt::join(words, " "));
    if (!values.empty())
        text += "            case $before in\n" + values + "            esac\n";
    text += "            ;;\n";
    for (const auto& subcommand : command.subcommands)
        text += bash_case(subcommand);
    return text;
}

} // namespace

std::string bash_completion(const DescribedCommand& program) {
    return bash_start + bash_steps(program) + "        esac\n    done\n    case $command in\n" +
           bash_case(program) + bash_end;
}

} // namespace alltold::cli

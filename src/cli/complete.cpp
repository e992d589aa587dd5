// SPDX-License-Identifier: BSD-3-Clause
// alltold __complete WORD...: what the completion scripts of shells offer for the last word.
#include "cli/described.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace alltold::cli {
namespace {

const DescribedOption* find_option(const DescribedCommand& command, std::string_view name) {
    const auto found = std::ranges::find_if(command.options, [&](const auto& option) {
        return std::ranges::find(option.names, name) != option.names.end();
    });
    return found != command.options.end() ? &*found : nullptr;
}

std::string last_word(const std::string& name) {
    return name.substr(name.rfind(' ') + 1);
}

/// Whether its first argument starts a command line of its own, also without "--".
bool is_prefix(const DescribedCommand& command) {
    return command.runs_command && command.arguments.empty() && command.subcommands.empty();
}

/// The subcommand and, after an option that takes one, the option whose value comes next.
struct Position {
    const DescribedCommand* command;
    const DescribedOption* option = nullptr;
    std::size_t arguments = 0; ///< of the subcommand, so far
    /// The word where another command line starts, counted from alltold itself; 0: none.
    std::size_t command_line = 0;
};

Position position_after(const DescribedCommand& program, const std::vector<std::string>& words) {
    Position at{&program};
    for (std::size_t i = 0; i < words.size() && at.command_line == 0; ++i) {
        const auto& word = words[i];
        if (std::exchange(at.option, nullptr))
            continue;
        const auto subcommand = std::ranges::find(
            at.command->subcommands, word, [](const auto& each) { return last_word(each.name); });
        if (word == "--") {
            at.command_line = i + 2;
        } else if (word.starts_with('-')) {
            const auto* option = find_option(*at.command, word);
            at.option = option && !option->value.empty() ? option : nullptr;
        } else if (subcommand != at.command->subcommands.end()) {
            at = {&*subcommand};
        } else if (is_prefix(*at.command)) {
            at.command_line = i + 1;
        } else {
            ++at.arguments;
        }
    }
    return at;
}

/// Lines for the words that begin with `typed`; `before` is what was typed in front of it.
class Offers {
  public:
    Offers(std::string_view before, std::string_view typed) : before_(before), typed_(typed) {}

    void add(std::string_view word, std::string_view description = "") {
        if (word.starts_with(typed_))
            lines_ += fmt::format("{}{}\t{}\n", before_, word, description);
    }
    void add(const DescribedOption& option) {
        for (const auto& word : option.words)
            add(word);
        if (option.files && option.names.front() != "command" && option.names.front() != "launcher")
            lines_ += ":files\n";
    }
    const std::string& lines() const { return lines_; }

  private:
    std::string_view before_, typed_;
    std::string lines_;
};

std::string value_offers(const DescribedOption& option, std::string_view typed, std::size_t value) {
    // In a list the last entry is completed.
    const auto comma = typed.rfind(',');
    const auto from = comma != typed.npos && comma >= value ? comma + 1 : value;
    Offers offers(typed.substr(0, from), typed.substr(from));
    offers.add(option);
    return offers.lines();
}

std::string offers_for(const Position& at, const std::string& typed) {
    if (at.command_line > 0)
        return fmt::format(":command {}\n", at.command_line);
    if (at.option)
        return value_offers(*at.option, typed, 0);
    const auto& command = *at.command;
    if (const auto equal = typed.find('='); typed.starts_with("--") && equal != typed.npos) {
        const auto* option = find_option(command, typed.substr(0, equal));
        return option ? value_offers(*option, typed, equal + 1) : "";
    }
    Offers offers("", typed);
    if (typed.starts_with('-')) {
        for (const auto& option : command.options)
            for (const auto& name : option.names)
                offers.add(name, option.description);
        if (command.runs_command)
            offers.add("--", "a command line follows");
        return offers.lines();
    }
    for (const auto& subcommand : command.subcommands)
        offers.add(last_word(subcommand.name), subcommand.description);
    if (!command.arguments.empty())
        offers.add(command.arguments[std::min(at.arguments, command.arguments.size() - 1)]);
    return offers.lines();
}

} // namespace

std::string completions(const CLI::App& app, std::vector<std::string> words) {
    if (words.empty())
        return "";
    const auto typed = std::move(words.back());
    words.pop_back();
    const auto program = described(app);
    auto at = position_after(program, words);
    if (!at.option && !typed.starts_with('-') && is_prefix(*at.command) && at.command_line == 0)
        at.command_line = words.size() + 1;
    return offers_for(at, typed);
}

} // namespace alltold::cli

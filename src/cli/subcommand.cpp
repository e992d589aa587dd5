// SPDX-License-Identifier: BSD-3-Clause
#include "cli/subcommand.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command_output.hpp"
#include "core/text.hpp"
#include "report/text_table.hpp"

namespace alltold::cli {
namespace {

/// Those that --help lists.
std::vector<std::string> subcommand_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* subcommand : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!subcommand->get_group().empty())
            names.push_back(subcommand->get_name());
    return names;
}

/// "; closest: rules", unless nothing is close.
std::string closest_text(std::string_view word, const std::vector<std::string>& names) {
    const auto without_dashes = [](std::string_view name) {
        return name.substr(std::min(name.find_first_not_of('-'), name.size()));
    };
    const auto distance = [&](const std::string& name) {
        return edit_distance(without_dashes(word), without_dashes(name));
    };
    if (word.size() > longest_mistyped_word)
        return "";
    const auto closest = std::ranges::min_element(names, {}, distance);
    return closest != names.end() && 2 * distance(*closest) < word.size() ? "; closest: " + *closest
                                                                          : "";
}

/// "-n" and "--ranks" of each option.
std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* option : app.get_options()) {
        for (const auto& name : option->get_snames())
            names.push_back("-" + name);
        for (const auto& name : option->get_lnames())
            names.push_back("--" + name);
    }
    return names;
}

/// "-n" for "--ranks", if it has a short name.
std::string short_name(const CLI::App& app, const std::string& name) {
    const auto* option = app.get_option_no_throw(name);
    return option == nullptr || option->get_snames().empty() ? name
                                                             : "-" + option->get_snames().front();
}

/// Lists the subcommands of `app`, for one that is none of them.
std::string unknown_subcommand(const CLI::App& app, const std::string& word) {
    const auto names = subcommand_names(app);
    return fmt::format("unknown subcommand '{}'{}", word,
                       names.size() > 8 ? closest_text(word, names)
                                        : fmt::format("; use one of {}", fmt::join(names, ", ")));
}

/// CLI11 lists words that it does not expect in the wrong order, and says of a list of numbers
/// only that it cannot convert it.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
    const auto words = app.remaining();
    const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if ((missing || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) && !words.empty()) {
        const auto option = std::ranges::find_if(
            words, [](const std::string& word) { return word.starts_with('-'); });
        if (option != words.end())
            return fmt::format("unknown option '{}'{}", *option,
                               closest_text(*option, option_names(app)));
        if (missing && app.get_require_subcommand_min() > 0)
            return unknown_subcommand(app, words.front());
        if (!missing)
            return fmt::format("unexpected argument: {}", fmt::join(words, " "));
    }
    constexpr std::string_view cannot = "Could not convert: ";
    const std::string what = error.what();
    const auto equals = what.find(" = ");
    if (what.starts_with(cannot) && equals != what.npos) {
        const auto option = short_name(app, what.substr(cannot.size(), equals - cannot.size()));
        const auto value = what.substr(equals + 3);
        return value.find(',') == value.npos
                   ? fmt::format("{}: '{}' is not a number", option, value)
                   : fmt::format("{} takes one number here, not {}", option, value);
    }
    return what;
}

/// Numbers that begin with zeros are decimal ones: CLI11 alone takes 010 for 8. Fails for what else
/// it takes for a number.
CLI::Validator decimal() {
    return {[](std::string& text) {
                const auto digits = text.find_first_not_of('-');
                const bool negative = text.starts_with('-');
                if (digits == (negative ? 1U : 0U) &&
                    text.find_first_not_of("0123456789", digits) == text.npos) {
                    const auto from =
                        std::min(text.find_first_not_of('0', digits), text.size() - 1);
                    text = (negative ? "-" : "") + text.substr(from);
                    return std::string();
                }
                char* end = nullptr;
                std::strtoll(text.c_str(), &end, 0);
                return (end != text.c_str() && *end == '\0') || text == "true"
                           ? fmt::format("'{}' is not a number in decimal digits", text)
                           : std::string();
            },
            ""};
}

/// The width of standard output. A narrower one would leave no room beside the names of options.
std::size_t columns() {
    constexpr std::size_t fewest = 60;
    winsize size{};
    if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
        size.ws_col == 0)
        return page_columns;
    return std::clamp<std::size_t>(size.ws_col, fewest, page_columns);
}

/// Calls `add` with every line of the text.
template <typename Add>
void for_lines(std::string_view text, Add add) {
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        add(std::string(line));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
}

} // namespace

CLI::App& add_subcommand(CLI::App& app, const std::string& name, const std::string& description,
                         const std::string& example) {
    auto& subcommand = *app.add_subcommand(name, description);
    subcommand.formatter(std::make_shared<Help>(example));
    return subcommand;
}

void add_seed(CLI::App& subcommand, std::uint64_t& seed, const std::string& what) {
    const CLI::Validator valid(
        [](const std::string& text) {
            std::uint64_t number = 0;
            const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
            return text.starts_with('-')                       ? text + ": must be 0 or more"
                   : read.ec == std::errc::result_out_of_range ? text + ": must be below 2^64"
                                                               : std::string();
        },
        "");
    subcommand.add_option("--seed", seed, "random seed of " + what)
        ->check(valid)
        ->capture_default_str();
}

void check_values(CLI::App& app) {
    const CLI::Validator not_blank(
        [](const std::string& text) {
            return text.find_first_not_of(" \t") == text.npos ? std::string("has no value")
                                                              : std::string();
        },
        "");
    for (auto* option : app.get_options())
        if (option->get_items_expected_min() > 0 &&
            (!option->get_positional() || option->get_items_expected_max() == 1))
            option->check(not_blank);
    for (auto* option : app.get_options())
        if (option->get_items_expected_max() > 0)
            if (const auto type = option->get_type_name();
                type.starts_with("INT") || type.starts_with("UINT"))
                option->transform(decimal());
    for (auto* subcommand : app.get_subcommands({}))
        check_values(*subcommand);
}

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
    std::string chosen;
    const CLI::App* at = &app;
    while (!at->get_subcommands().empty()) {
        at = at->get_subcommands().front();
        chosen += (chosen.empty() ? "" : " ") + at->get_name();
    }
    auto what = what_is_wrong(*at, error);
    std::replace(what.begin(), what.end(), '\n', ' ');
    if (chosen.empty())
        return bad_input(fmt::format("{}; {}", what, see_help()));
    return bad_input(fmt::format("{}: {}; {}", chosen, what, see_help(chosen)));
}

ExitStatus print_on_rank_0(const Error& error, int rank) {
    if (rank == 0)
        say(fmt::format("alltold: {}\n", one_line(error.message)));
    return error.status;
}

Status check_subcommand(const CLI::App& app, int argc, const char* const* argv) {
    if (argc < 2)
        return bad_input("a subcommand is missing; " + see_help());
    const std::string word = argv[1];
    const auto known = [&](const CLI::App* subcommand) { return subcommand->get_name() == word; };
    if (!word.starts_with('-') && app.get_subcommands(known).empty())
        return bad_input(fmt::format("unknown subcommand '{}'{}; {}", word,
                                     closest_text(word, subcommand_names(app)), see_help()));
    return Done{};
}

std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    std::string text;
    if (!example_.empty()) {
        for_lines("Example: " + example_,
                  [&](const std::string& line) { text += wrapped(line, 6, columns(), " \\"); });
        text += '\n';
    }
    for_lines(Formatter::make_help(app, std::move(name), mode), [&](const std::string& line) {
        text += wrapped(line, line.starts_with(' ') ? get_column_width() : 0, columns());
    });
    return text;
}

} // namespace alltold::cli

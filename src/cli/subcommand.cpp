// SPDX-License-Identifier: BSD-3-Clause
// Help that starts with an example, and one-line usage errors.
#include "cli/subcommand.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace alltold::cli {
namespace {

/// CLI11's help with the example above it.
class ExampleFirst : public CLI::Formatter {
  public:
    explicit ExampleFirst(std::string example) : example_(std::move(example)) {}

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        return "Example: " + example_ + "\n\n" + Formatter::make_help(app, std::move(name), mode);
    }

  private:
    std::string example_;
};

std::vector<std::string> subcommand_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* subcommand : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(subcommand->get_name());
    return names;
}

} // namespace

CLI::App& add_subcommand(CLI::App& app, const std::string& name, const std::string& description,
                         const std::string& example) {
    auto& subcommand = *app.add_subcommand(name, description);
    subcommand.formatter(std::make_shared<ExampleFirst>(example));
    return subcommand;
}

CLI::Validator not_negative() {
    return {[](const std::string& text) {
                return text.starts_with('-') ? text + ": must be 0 or more" : std::string();
            },
            ""};
}

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    std::string chosen;
    for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
        at = at->get_subcommands().front();
        chosen += (chosen.empty() ? "" : " ") + at->get_name();
    }
    if (chosen.empty())
        return bad_input(fmt::format("{}; see 'alltold --help'", what));
    return bad_input(fmt::format("{0}: {1}; see 'alltold {0} --help'", chosen, what));
}

ExitStatus print_on_rank_0(const Error& error, int rank) {
    if (rank == 0) {
        fmt::print(stderr, "alltold: {}\n", error.message);
        std::fflush(stderr);
    }
    return error.status;
}

Status check_subcommand(const CLI::App& app, int argc, const char* const* argv) {
    const auto names = subcommand_names(app);
    if (argc < 2)
        return bad_input(fmt::format("a subcommand is missing; use one of {}; see 'alltold --help'",
                                     fmt::join(names, ", ")));
    const std::string_view word = argv[1];
    if (!word.starts_with('-') && std::find(names.begin(), names.end(), word) == names.end())
        return bad_input(
            fmt::format("unknown subcommand '{}'; use one of {}", word, fmt::join(names, ", ")));
    return Done{};
}

} // namespace alltold::cli

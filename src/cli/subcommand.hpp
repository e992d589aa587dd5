// SPDX-License-Identifier: BSD-3-Clause
// Declarations and helpers shared by all subcommands, and the text of --help.
#pragma once

#include <functional>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"

namespace alltold::cli {

/// Runs the subcommand the user chose. An error is printed as one line; its status becomes the exit
/// status.
using Action = std::function<Result<ExitStatus>()>;

/// Declares the subcommand's options on `app`; parsing that subcommand sets `chosen`.
using Declare = void(CLI::App& app, Action& chosen);
Declare declare_lab, declare_measure, declare_fit, declare_predict, declare_validate, declare_study,
    declare_list, declare_show, declare_rank, declare_diff, declare_import, declare_site,
    declare_report, declare_rules, declare_run, declare_tune, declare_settings, declare_exec,
    declare_export, declare_lint, declare_call_once, declare_describe, declare_export_rules,
    declare_site_check, declare_component;

/// Drops the "--" between the options of exec, which all take a value, and its program: CLI11 keeps
/// what follows a program as it is, but not what follows dashes.
void drop_dashes(std::vector<char*>& words);

/// Adds a subcommand whose --help shows `example`, one or more command lines, before anything else.
CLI::App& add_subcommand(CLI::App& app, const std::string& name, const std::string& description,
                         const std::string& example);

/// An error of the command line that names its option already.
class WrongOption : public CLI::ParseError {
  public:
    explicit WrongOption(const alltold::Error& error)
        : ParseError("WrongOption", error.message, static_cast<int>(error.status)) {}
};

/// Adds an option whose text `parse` reads into `value`; a value that it refuses is an error of the
/// command line.
template <typename Value, typename Parse>
CLI::Option* add_parsed(CLI::App& subcommand, const std::string& names, Value& value, Parse parse,
                        const std::string& help) {
    return subcommand.add_option_function<std::string>(
        names,
        [&value, parse](const std::string& text) {
            auto parsed = parse(text);
            if (!parsed)
                throw WrongOption(parsed.error());
            value = std::move(*parsed);
        },
        help);
}

/// Adds --seed, the random seed of `what`. Refuses seeds below 0 and above 64 bits, which CLI11
/// alone takes for others.
void add_seed(CLI::App& subcommand, std::uint64_t& seed, const std::string& what);

/// Refuses options whose value is empty or blank, as an unset variable of a script leaves them, and
/// whole numbers in other than decimal digits.
void check_values(CLI::App& app);

/// One line that names the usage error and the --help that explains the right form.
Error usage_error(const CLI::App& app, const CLI::ParseError& error);

/// Fails and lists the subcommands when the first word of the command line is not one of them.
Status check_subcommand(const CLI::App& app, int argc, const char* const* argv);

/// Handles an error that all ranks have: rank 0 prints it before MPI ends, because the launcher may
/// kill rank 0 as soon as another rank exits with an error status.
ExitStatus print_on_rank_0(const Error& error, int rank);

/// CLI11's help, wrapped to the terminal's width, or to page_columns if that is less or there is no
/// terminal. It starts with `example`, one or more command lines, if not empty; long ones continue
/// after a backslash.
class Help : public CLI::Formatter {
  public:
    explicit Help(std::string example = {}) : example_(std::move(example)) {}

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;
    const std::string& example() const { return example_; }

  private:
    std::string example_;
};

} // namespace alltold::cli

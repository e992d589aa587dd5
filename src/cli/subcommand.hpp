// SPDX-License-Identifier: BSD-3-Clause
// What every subcommand of the command line is made of.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "core/result.hpp"

namespace alltold::cli {

/// Runs the subcommand the user chose. An error is printed as one line; its status becomes the exit
/// status.
using Action = std::function<Result<ExitStatus>()>;

/// Declares the subcommand's options on `app` and sets `chosen` once that subcommand has been
/// parsed.
using Declare = void (*)(CLI::App& app, Action& chosen);

void declare_lab(CLI::App& app, Action& chosen);
void declare_measure(CLI::App& app, Action& chosen);
void declare_fit(CLI::App& app, Action& chosen);
void declare_predict(CLI::App& app, Action& chosen);
void declare_validate(CLI::App& app, Action& chosen);
void declare_study(CLI::App& app, Action& chosen);
void declare_check(CLI::App& app, Action& chosen);
void declare_list(CLI::App& app, Action& chosen);
void declare_show(CLI::App& app, Action& chosen);
void declare_rank(CLI::App& app, Action& chosen);
void declare_rules(CLI::App& app, Action& chosen);
void declare_run(CLI::App& app, Action& chosen);
void declare_tune(CLI::App& app, Action& chosen);

/// Adds a subcommand whose --help shows `example`, one or more command lines, before anything else.
CLI::App& add_subcommand(CLI::App& app, const std::string& name, const std::string& description,
                         const std::string& example);

/// What is wrong with the command line, in one line, and which --help would tell what is right.
Error usage_error(const CLI::App& app, const CLI::ParseError& error);

/// Fails, naming the subcommands there are, when the first word of the command line is none of
/// them.
Status check_subcommand(const CLI::App& app, int argc, const char* const* argv);

/// An error that all ranks have: rank 0 says what is wrong before MPI ends, since once another rank
/// has left with an error status, the launcher may kill rank 0 before it has spoken.
ExitStatus said(const Error& error, int rank);

/// Exits through an error of CLI11 with the text of a bad value, so that it names its option.
template <typename T>
T value_or_throw(const char* option, Result<T> parsed) {
    if (!parsed)
        throw CLI::ValidationError(option, parsed.error().message);
    return std::move(*parsed);
}

} // namespace alltold::cli

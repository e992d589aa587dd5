// SPDX-License-Identifier: BSD-3-Clause
// The command line: picks the subcommand, prints its error, returns its exit status.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command_output.hpp"
#include "cli/described.hpp"
#include "cli/subcommand.hpp"
#include "core/environment.hpp"
#include "core/text.hpp"
#ifdef ALLTOLD_WITH_MPI
#include "runtime/mpi/session.hpp"
#endif

namespace {

using namespace alltold;

constexpr cli::Declare* subcommands[] = {
    cli::declare_lab,      cli::declare_exec,
#ifdef ALLTOLD_WITH_MPI
    cli::declare_measure,  cli::declare_run,       cli::declare_tune,     cli::declare_study,
    cli::declare_settings, cli::declare_call_once,
#endif
    cli::declare_fit,      cli::declare_predict,   cli::declare_validate, cli::declare_rank,
    cli::declare_rules,    cli::declare_list,      cli::declare_show,     cli::declare_export,
    cli::declare_lint,     cli::declare_report,    cli::declare_diff,     cli::declare_import,
    cli::declare_site,     cli::declare_component, cli::declare_describe,
};

int fail(const Error& error) {
    say(fmt::format("alltold: {}\n", one_line(error.message)));
    return static_cast<int>(error.status);
}

/// Whether a launcher started this process as one of several and not as the first.
bool is_a_later_rank() {
    const auto process = launched_process();
    return process && process->rank > 0 && process->size > 0;
}

/// Subcommands of which every process under an MPI launcher finds the same errors.
bool is_launched(std::string_view subcommand) {
    constexpr std::array<std::string_view, 7> launched{"measure", "run",      "tune", "study",
                                                       "exec",    "settings", "site"};
    return std::ranges::find(launched, subcommand) != launched.end();
}

/// For an error that every process finds in what it was given, or that it sees no other. Only the
/// first prints it. The others wait, because a launcher that sees one fail may kill the first
/// before it prints.
int fail_once(const Error& error, std::string_view subcommand) {
    if (!is_launched(subcommand) || !is_a_later_rank())
        return fail(error);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return static_cast<int>(error.status);
}

/// For an error in the command line, which every process finds before it starts MPI.
int fail_on_all_ranks(const Error& error, std::string_view subcommand) {
#ifdef ALLTOLD_WITH_MPI
    if (is_launched(subcommand) && subcommand != "exec" && launched_process()) {
        const auto session = mpi::Session::open();
        return session ? static_cast<int>(cli::print_on_rank_0(error, session->world().rank()))
                       : fail_once(session.error(), subcommand);
    }
#endif
    return fail_once(error, subcommand);
}

int run(int argc, char** argv) {
    CLI::App app{"Predicts MPI collective times on your network and runs the fastest algorithm.",
                 "alltold"};
    app.set_version_flag("--version", cli::version_text, "Print version, commit and MPI library");
    app.formatter(std::make_shared<cli::Help>());
    app.require_subcommand(1);
    cli::Action chosen;
    const std::string_view subcommand = argc > 1 ? argv[1] : "";
    if (subcommand == "exec") // every rank of a program starts with it
        cli::declare_exec(app, chosen);
    else
        for (const auto declare : subcommands)
            declare(app, chosen);
    cli::check_values(app);
    if (subcommand == "__complete") { // for the scripts in packaging/completions
        fmt::print("{}", cli::completions(app, {argv + 2, argv + argc}));
        return 0;
    }
    if (auto known = cli::check_subcommand(app, argc, argv); !known)
        return fail_once(known.error(), subcommand);
    std::vector<char*> words(argv, argv + argc);
    if (subcommand == "exec")
        cli::drop_dashes(words);
    try {
        app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::Success& help_or_version) {
        return app.exit(help_or_version);
    } catch (const cli::WrongOption& error) {
        return fail_on_all_ranks({error.what(), ExitStatus(error.get_exit_code())}, subcommand);
    } catch (const CLI::ParseError& error) {
        return fail_on_all_ranks(cli::usage_error(app, error), subcommand);
    }
    const auto status = chosen();
    if (status)
        return static_cast<int>(*status);
    const bool of_all_ranks =
        subcommand == "exec" || status.error().status == ExitStatus::bad_input;
    return of_all_ranks ? fail_once(status.error(), subcommand) : fail(status.error());
}

/// Nothing of the output may be lost without a word; a reader that goes away is fine.
int output_lost(int status, int error) {
    if (error == EPIPE)
        return status;
    return fail(
        environment(fmt::format("standard output: cannot write it: {}", std::strerror(error))));
}

int flushed(int status) {
    std::cout.flush();
    const bool whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
    return whole ? status : output_lost(status, errno);
}

/// A closed standard stream's number would be that of the next file opened, and what is printed
/// would go there: opens each so that it is empty and cannot be written.
void keep_stream_numbers() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF)
            ::open("/dev/null", O_RDONLY);
}

/// A file at the limit of its size (ulimit -f) then fails to be written, which is an error with a
/// name, and what is half written is removed. Programs that we start have the usual action again.
void keep_running_at_file_limit() {
    std::signal(SIGXFSZ, [](int) {});
}

} // namespace

int main(int argc, char** argv) {
    keep_stream_numbers();
    keep_running_at_file_limit();
    cli::keep_command_name(argv[0]);
    try {
        return flushed(run(argc, argv));
    } catch (const std::bad_alloc&) {
        return fail(environment("out of memory: this needs more than the machine has"));
    } catch (const std::filesystem::filesystem_error& error) {
        std::error_code gone;
        (void)std::filesystem::current_path(gone);
        return fail(environment(
            gone ? "the working directory has been removed; change to another one"
                 : fmt::format("{}: {}", error.path1().string(), error.code().message())));
    } catch (const std::exception& error) {
        const auto* failed = dynamic_cast<const std::system_error*>(&error);
        if (failed && std::ferror(stdout) != 0)
            return output_lost(static_cast<int>(ExitStatus::done), failed->code().value());
        return fail(environment(
            fmt::format("unexpected error ({}); please report it with the command and its files",
                        error.what())));
    }
}

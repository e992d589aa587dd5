// SPDX-License-Identifier: BSD-3-Clause
// How the user calls this program, for the commands that it prints, and its version.
#pragma once

#include <string>

namespace alltold::cli {

/// Keeps the name by which this process was called, also for those that it starts, unless it has
/// one: the wrapper ./alltold sets its own in ALLTOLD_COMMAND.
void keep_command_name(const char* called);

/// "./alltold", quoted for the shell where that is necessary.
std::string command_name();

/// "see './alltold rank --help'", which ends the error of a wrong command line; of alltold itself
/// without a subcommand.
std::string see_help(const std::string& subcommand = "");

/// "alltold 0.1.0, commit 1a2b3c4d5e, Open MPI 4.1.4": of the MPI library that is loaded now.
/// Without the commit where the source was not in git.
std::string version_text();

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// How the user calls this program, for the commands that it prints.
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

} // namespace alltold::cli

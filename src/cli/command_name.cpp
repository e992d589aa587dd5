// SPDX-License-Identifier: BSD-3-Clause
// A variable of the environment, which reaches ranks and labs.
#include "cli/command_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "cli/command_output.hpp"

namespace alltold::cli {
namespace {

constexpr const char* variable = "ALLTOLD_COMMAND";

bool plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("/._-+~@").find(c) != std::string_view::npos;
}

} // namespace

void keep_command_name(const char* called) {
    if (called && *called)
        ::setenv(variable, called, 0);
}

std::string command_name() {
    const char* kept = std::getenv(variable);
    const std::string name = kept && *kept ? kept : "alltold";
    return std::ranges::all_of(name, plain) ? name : quoted(name);
}

std::string see_help(const std::string& subcommand) {
    const auto word = subcommand.empty() ? "" : " " + subcommand;
    return "see '" + command_name() + word + " --help'";
}

} // namespace alltold::cli

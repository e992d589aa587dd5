// SPDX-License-Identifier: BSD-3-Clause
// Runs alltold as a user would and keeps what it said.
#pragma once

#include <string>
#include <vector>

namespace alltold::test {

struct Run {
    int exit_status = -1; ///< 128 + the signal that ended it
    std::string output;   ///< standard output
    std::string errors;   ///< standard error
};

/// Runs the built program with these arguments in `directory`, without a terminal. `as_nobody`
/// gives up root first, whom no permission stops. With
/// a `limit_s` above 0, so many seconds of processor time, or ten times as many of any kind, end
/// it.
Run run_alltold(const std::vector<std::string>& arguments, const std::string& directory = "/",
                bool as_nobody = false, unsigned limit_s = 0);

/// The same of a copy of it.
Run run_program(const std::string& file, const std::vector<std::string>& arguments,
                const std::string& directory = "/", bool as_nobody = false, unsigned limit_s = 0);

} // namespace alltold::test

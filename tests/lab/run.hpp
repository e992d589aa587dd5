// SPDX-License-Identifier: BSD-3-Clause
// Runs alltold lab from a test and gives back what it printed.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace alltold::lab_tests {

struct Ran {
    int status = -1;
    std::string out; ///< standard output and standard error
};

/// `words` after "alltold lab", read by a shell; ends it after a minute.
Ran run_lab(const std::string& words);
/// The same for a whole shell command.
Ran run_shell(const std::string& command);

/// The number `text` starts with; 0 when it is none.
double number(const std::string& text);

/// The last line that is a JSON object, discarded without one: warnings of a busy machine may
/// follow.
nlohmann::json last_json(const std::string& out);

/// A transfer of `megabytes` between two hosts, as words of a shell; prints its goodput.
std::string transfer(const std::string& from, const std::string& to, int megabytes,
                     const std::string& port = "5001");

} // namespace alltold::lab_tests

/// Skips the test, saying why, where labs cannot be made.
#define NEEDS_LAB()                                                                                \
    do {                                                                                           \
        if (const auto& permitted = alltold::lab::lab_permitted(); !permitted)                     \
            GTEST_SKIP() << "no labs here: " << permitted.error().message;                         \
    } while (false)

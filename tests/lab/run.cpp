// SPDX-License-Identifier: BSD-3-Clause
// Runs alltold lab from a test and gives back what it printed.
#include "run.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include <sys/wait.h>

namespace alltold::lab_tests {

Ran run_shell(const std::string& command) {
    Ran ran;
    FILE* from = popen(("{ " + command + "; } 2>&1 </dev/null").c_str(), "r");
    char part[4096];
    while (std::size_t got = fread(part, 1, sizeof part, from))
        ran.out.append(part, got);
    const int status = pclose(from);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ran;
}

Ran run_lab(const std::string& words) {
    return run_shell("timeout 60 " ALLTOLD_BINARY " lab " + words);
}

double number(const std::string& text) {
    return std::strtod(text.c_str(), nullptr);
}

nlohmann::json last_json(const std::string& out) {
    auto last = nlohmann::json::parse("", nullptr, false);
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);)
        if (auto one = nlohmann::json::parse(line, nullptr, false); one.is_object())
            last = std::move(one);
    return last;
}

std::string transfer(const std::string& from, const std::string& to, int megabytes,
                     const std::string& port) {
    const auto size = std::to_string(megabytes * 1'000'000);
    return "ssh " + to + " " LAB_PROBE " tcp-sink " + port + " " + size + " & ssh " + from +
           " " LAB_PROBE " tcp-source " + to + " " + port + " " + size + "; ";
}

} // namespace alltold::lab_tests

// SPDX-License-Identifier: BSD-3-Clause
// Virtual clusters on one Linux machine: real kernel TCP between network namespaces.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/options.hpp"

namespace alltold::lab {

/// What a lab leaves behind.
struct LabResult {
    int exit_status = 0;       ///< the command's; 128 + the signal that ended it
    nlohmann::json counters;   ///< as read_counters gives them, at the end
    nlohmann::json processors; ///< whether the machine kept up: see Watch
};

/// Brings a lab up, runs `command` on its head node, and takes the lab down again. An empty command
/// is an interactive shell. SIGINT, SIGTERM, SIGHUP and SIGQUIT go to the command; if it does not
/// end within 5 s all is killed. Call it from a process with one thread. Errors: bad options or
/// truth file that cannot be written (bad input), namespaces, tun or tools missing (environment).
Result<LabResult> run_in_lab(const LabOptions& options, const std::vector<std::string>& command);

/// Whether labs can be made here (found out once by making a small one); if not, `why` names what
/// is missing.
bool lab_permitted(std::string* why = nullptr);

} // namespace alltold::lab

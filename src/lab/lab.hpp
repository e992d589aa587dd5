// SPDX-License-Identifier: BSD-3-Clause
// Virtual clusters on one Linux machine: real kernel TCP between network namespaces.
#pragma once

#include <nlohmann/json.hpp>

#include "lab/options.hpp"

namespace alltold::lab {

struct LabResult {
    int exit_status = 0;       ///< the command's; 128 + the signal that ended it
    nlohmann::json counters;   ///< read_counters() at the end
    nlohmann::json processors; ///< whether the machine was fast enough; see Watch
};

/// Starts a lab, runs `command` on its head node, and stops the lab. An empty command starts a
/// shell. SIGINT, SIGTERM, SIGHUP and SIGQUIT go to the command; if it does not end within 5 s,
/// everything is killed. Call it from a single-threaded process, with options that `check` lets
/// pass; says on standard error if this machine can probably not time them. Fails for too many
/// ranks for this machine or a truth file that cannot be written (bad input), and for missing
/// namespaces, packet sockets or tools (environment).
Result<LabResult> run_in_lab(const LabOptions& options, const std::vector<std::string>& command);

/// Fails and names what is missing where labs cannot be created; tested once, with a small one.
const Status& lab_permitted();

} // namespace alltold::lab

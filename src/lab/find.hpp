// SPDX-License-Identifier: BSD-3-Clause
// Finds running labs by looking at the machine's processes; labs leave no files to look at.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "core/result.hpp"

namespace alltold::lab {

/// What a process calls itself while it supervises a lab.
constexpr const char* supervisor_name = "alltold-lab";

struct RunningLab {
    pid_t pid;           ///< of its supervisor
    std::string command; ///< the supervisor's command line
    double age_s;
};

std::vector<RunningLab> running_labs();

/// Asks the lab to end, and after 8 s ends it; returns when it is gone. Fails when `pid` is no lab
/// (bad input) or belongs to somebody else (environment).
Status take_down(pid_t pid);

} // namespace alltold::lab

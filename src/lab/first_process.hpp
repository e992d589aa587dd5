// SPDX-License-Identifier: BSD-3-Clause
// Process 1 of a lab's process namespace: builds the lab, runs the command, and takes all with it.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include "lab/options.hpp"
#include "lab/process.hpp"

namespace alltold::lab {

struct FirstProcess {
    const LabOptions& options;
    const std::vector<std::string>& command;
    sigset_t callers_mask;   ///< what the command starts with
    bool foreground = false; ///< the command may have the terminal
    Fd lifeline;             ///< ends when the supervisor does
    Fd report;               ///< takes one JSON object: "error" and "status", or the result
};

/// Never returns; when this process ends, the kernel ends all others of the lab. `rights` is
/// whether it could get the rights it needs.
[[noreturn]] void be_first_process(FirstProcess self, const Status& rights);

} // namespace alltold::lab

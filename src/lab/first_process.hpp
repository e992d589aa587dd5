// SPDX-License-Identifier: BSD-3-Clause
// Process 1 of a lab's process namespace: creates the lab, runs the command, and ends
// everything when it exits.
#pragma once

#include "lab/options.hpp"
#include "lab/process.hpp"

namespace alltold::lab {

struct FirstProcess {
    const LabOptions& options;
    const std::vector<std::string>& command;
    sigset_t callers_mask;   ///< the command's signal mask
    bool foreground = false; ///< whether the command may use the terminal
    Fd lifeline;             ///< closed when the supervisor ends
    Fd report;               ///< takes one JSON object: "error" and "status", or the result
};

/// Never returns. When this process ends, the kernel kills all others of the lab. `rights` is an
/// error if it could not get the rights it needs.
[[noreturn]] void be_first_process(FirstProcess self, const Status& rights);

} // namespace alltold::lab

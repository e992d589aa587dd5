// SPDX-License-Identifier: BSD-3-Clause
// The options that describe a lab, shared by all subcommands that start one.
#pragma once

#include <string>

#include "cli/subcommand.hpp"
#include "lab/options.hpp"

namespace alltold::cli {

/// The options as typed.
struct LabText {
    std::string clusters = "12", nic = "50Mbit", buffer = "64KiB", wan = "200Mbit,5ms,512KiB", tcp;
    int ranks_per_host = 0; ///< 0: as `clusters` says
    bool oversubscribe = false;
};

/// Declares --clusters, --ranks-per-host, --oversubscribe, --nic, --buffer, --wan and --tcp on
/// `subcommand`.
void add_lab_options(CLI::App& subcommand, LabText& text);

/// Fails, naming the option, for one that cannot be read, that another contradicts, or that no lab
/// can have.
Result<lab::LabOptions> lab_options(const LabText& text);

/// Says on standard error if this machine can probably not time the lab.
void warn_of_rate(const lab::LabOptions& options);

} // namespace alltold::cli

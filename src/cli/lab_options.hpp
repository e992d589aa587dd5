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
};

/// Declares --clusters, --nic, --buffer, --wan and --tcp on `subcommand`.
void add_lab_options(CLI::App& subcommand, LabText& text);

/// Fails, naming the option, for one that cannot be read.
Result<lab::LabOptions> lab_options(const LabText& text);

} // namespace alltold::cli

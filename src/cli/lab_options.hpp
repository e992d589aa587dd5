// SPDX-License-Identifier: BSD-3-Clause
// The options that describe a lab, shared by all subcommands that start one.
#pragma once

#include "cli/subcommand.hpp"
#include "lab/options.hpp"

namespace alltold::cli {

void add_lab_clusters(CLI::App& subcommand, lab::LabOptions& lab);

/// Declares --ranks-per-host, which goes with --clusters and comes after it, --oversubscribe,
/// --nic,
/// --buffer, --wan and --tcp.
void add_lab_options(CLI::App& subcommand, lab::LabOptions& lab);

} // namespace alltold::cli

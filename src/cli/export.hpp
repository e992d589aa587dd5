// SPDX-License-Identifier: BSD-3-Clause
// The formats of alltold export: one declaration each.
#pragma once

#include "cli/subcommand.hpp"
#include "core/text_file.hpp"

namespace alltold::cli {

/// openmpi and mpich: rules that the library reads.
void declare_export_rules(CLI::App& app, Action& chosen);
/// csv: samples of a campaign.
void declare_export_csv(CLI::App& app, Action& chosen);
/// goal: schedules for LogGOPSim.
void declare_export_goal(CLI::App& app, Action& chosen);
/// simgrid: a platform for smpirun.
void declare_export_simgrid(CLI::App& app, Action& chosen);

Status may_write_export(const std::string& file, const FileKind& kind);
/// Writes `text` to the file, or to standard output if its name is empty or "-".
Status write_export(const std::string& file, const std::string& text, const FileKind& kind);

} // namespace alltold::cli

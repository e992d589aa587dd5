// SPDX-License-Identifier: BSD-3-Clause
// The parts of alltold site: one declaration each.
#pragma once

#include "cli/subcommand.hpp"

namespace alltold::cli {

/// init: makes a site folder, or adds a profile to one.
void declare_site_init(CLI::App& app, Action& chosen);
/// show: lists networks and profiles, and what jobs learned.
void declare_site_show(CLI::App& app, Action& chosen);
#ifdef ALLTOLD_WITH_MPI
/// check: whether the network still behaves as its profile says.
void declare_site_check(CLI::App& app, Action& chosen);
#endif

} // namespace alltold::cli

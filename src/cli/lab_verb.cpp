// SPDX-License-Identifier: BSD-3-Clause
// alltold lab
#include "cli/verb.hpp"
namespace alltold::cli {
void declare_lab(CLI::App& app, Action&) {
    app.add_subcommand("lab", "A virtual cluster");
}
} // namespace alltold::cli

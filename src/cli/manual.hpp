// SPDX-License-Identifier: BSD-3-Clause
// Man pages.
#pragma once

#include <string>

#include "cli/described.hpp"

namespace alltold::cli {

/// alltold(1), in the language of man(7). Hyphens are escaped, so options can be copied.
std::string program_page(const DescribedCommand& program, const std::string& version);

/// alltold-rank(1) and so on; the subcommands of a subcommand are in its page.
std::string subcommand_page(const DescribedCommand& subcommand, const std::string& version);

} // namespace alltold::cli

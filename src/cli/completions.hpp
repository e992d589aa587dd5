// SPDX-License-Identifier: BSD-3-Clause
// Scripts by which shells complete subcommands, options and their values.
#pragma once

#include <string>

#include "cli/described.hpp"

namespace alltold::cli {

std::string bash_completion(const DescribedCommand& program);
std::string zsh_completion(const DescribedCommand& program);
std::string fish_completion(const DescribedCommand& program);

} // namespace alltold::cli

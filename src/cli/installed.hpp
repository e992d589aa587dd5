// SPDX-License-Identifier: BSD-3-Clause
// The libraries that are installed beside this program.
#pragma once

#include <span>
#include <string>

#include "core/result.hpp"

namespace alltold::cli {

/// The path of `file` for the first of these MPI libraries that has one. The error is of
/// `subcommand`.
Result<std::string> installed_library(const std::string& subcommand, const std::string& file,
                                      std::span<const char* const> mpi_libraries);

} // namespace alltold::cli

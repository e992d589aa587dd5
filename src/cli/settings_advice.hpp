// SPDX-License-Identifier: BSD-3-Clause
// What a setting of the MPI library gains for programs that do not use alltold.
#pragma once

#include <filesystem>
#include <string>

#include "core/result.hpp"

namespace alltold::cli {

/// The setting that `alltold settings --json` recommends in this file, its gain at each size, and
/// what to do about it; empty if it recommends none. Fails if the file is not of that kind.
Result<std::string> settings_advice(const std::filesystem::path& file);

} // namespace alltold::cli

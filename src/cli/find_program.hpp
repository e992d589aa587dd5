// SPDX-License-Identifier: BSD-3-Clause
// Whether a program can be run, before anything else is done for it.
#pragma once

#include <string>

#include "core/result.hpp"

namespace alltold::cli {

/// Fails for a program that execvp would not find or may not run.
Status check_program(const std::string& program);

} // namespace alltold::cli

// SPDX-License-Identifier: BSD-3-Clause
// Where this process runs.
#pragma once

#include <string>

namespace alltold {

/// The value of an environment variable; empty where it is not set.
std::string variable(const char* name);

/// This process's host, as gethostname says it.
std::string host_name();

} // namespace alltold

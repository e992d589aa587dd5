// SPDX-License-Identifier: BSD-3-Clause
// What --version prints.
#pragma once

#include <string>

namespace alltold::cli {

/// "alltold 0.1.0, commit 1a2b3c4d5e, Open MPI 4.1.4": of the MPI library that is loaded now.
/// Without the commit where the source was not in git.
std::string version_text();

} // namespace alltold::cli

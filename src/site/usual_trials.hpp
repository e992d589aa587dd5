// SPDX-License-Identifier: BSD-3-Clause
// Trials for networks without a study.
#pragma once

#include <string_view>

namespace alltold::site {

/// Rules whose first candidate is the MPI library's own, and whose others are trials: those that
/// gain most in kept labs, with the geometric mean of their shares of the library's time there.
extern const std::string_view usual_trials;

} // namespace alltold::site

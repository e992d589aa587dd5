// SPDX-License-Identifier: BSD-3-Clause
// Whether this machine's processors can time a lab that has hosts of several ranks.
#pragma once

#include "lab/options.hpp"

namespace alltold::lab {

/// Above this, ranks wait for processors longer than for packets at any useful rate.
constexpr int most_ranks_a_processor = 16;

/// The processors that the process may use; at least 1.
int processors_here();

/// Fails and says what would do for too many ranks (bad input), unless `options.oversubscribe`.
/// Labs of one rank per host always pass: Watch judges them by how they ran.
Status check_ranks(const LabOptions& options, int processors);

/// A one-line warning that names the rate that fits; empty for a link rate that is low enough, for
/// one rank per host, with `options.oversubscribe`, and where check_ranks fails.
std::string rate_warning(const LabOptions& options, int processors);

} // namespace alltold::lab

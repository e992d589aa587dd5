// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm a communicator runs for each collective, and with what.
#pragma once

#include <array>
#include <string_view>

#include "algorithms/algorithm.hpp"

namespace alltold {

/// An algorithm and what it takes, clusters left out: those belong to the communicator.
struct Choice {
    const Algorithm* algorithm = nullptr;
    Parameters parameters;
};

/// Reads "alltoall.rotated window=4" or "bcast.chain_segmented segment=8KiB". Fails for an unknown
/// name or key, naming it, and for a value that is none.
Result<Choice> parse_choice(std::string_view text);

/// What each collective runs while nothing else was chosen.
Choice default_choice(Collective collective);

} // namespace alltold

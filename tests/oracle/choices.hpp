// SPDX-License-Identifier: BSD-3-Clause
// The ways in which the oracle runs an algorithm, read from the registry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oracle {

/// One algorithm with parameters for one collective.
struct Choice {
    std::string text;       ///< "bcast.chain_segmented segment=1000"
    std::string collective; ///< "bcast"
    bool clustered = false; ///< the communicator has clusters
};

/// Every collective that the algorithm carries out, with all parameters that it takes and, where
/// some may be left out, with those alone that it needs. Empty when there is no such algorithm.
std::vector<Choice> choices_of(std::string_view name);

} // namespace oracle

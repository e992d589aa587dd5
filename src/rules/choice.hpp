// SPDX-License-Identifier: BSD-3-Clause
// An algorithm with what it takes, as users write it.
#pragma once

#include <string>
#include <string_view>

#include "algorithms/algorithm.hpp"

namespace alltold {

/// An algorithm and what it takes, clusters left out: those belong to the communicator.
struct Choice {
    const Algorithm* algorithm = nullptr; ///< null: the MPI library's own
    Parameters parameters;
};

bool operator==(const Choice& a, const Choice& b);

/// Reads "alltoall.rotated window=4" or "bcast.chain_segmented segment=8KiB". Fails for an unknown
/// name or key, naming it, and for a value that is none; `wrong` is then the word it is about.
Result<Choice> parse_choice(std::string_view text, std::string_view* wrong = nullptr);

/// As parse_choice reads it; "mpi" for the library's own.
std::string text_of(const Choice& choice);

} // namespace alltold

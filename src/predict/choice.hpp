// SPDX-License-Identifier: BSD-3-Clause
// An algorithm with what it takes, as users write it.
#pragma once

#include <string>
#include <string_view>

#include "predict/library_algorithms.hpp"

namespace alltold {

/// An algorithm and what it takes, clusters left out: those belong to the communicator.
struct Choice {
    const Algorithm* algorithm = nullptr; ///< null: the MPI library's own
    Parameters parameters = {};
    /// Where `algorithm` is null: which of the library's algorithms, pointing into the table of
    /// them; empty: as it decides itself.
    std::string_view library = {};

    /// Whether the library carries it out as it decides itself.
    bool is_default() const { return !algorithm && library.empty(); }
};

bool operator==(const Choice& a, const Choice& b);

/// Reads "alltoall.rotated window=4", "bcast.chain_segmented segment=8KiB", "mpi" or
/// "mpi.pipeline segment=8KiB". Fails for an unknown name or key, naming it, and for a value that
/// is none; `wrong` is then the word it is about. Whether the parameters are taken is not looked
/// at.
Result<Choice> parse_choice(std::string_view text, std::string_view* wrong = nullptr);

/// "bcast.chain_segmented", "mpi", "mpi.pipeline": without parameters.
std::string algorithm_name(const Choice& choice);
/// As parse_choice reads it.
std::string text_of(const Choice& choice);

} // namespace alltold

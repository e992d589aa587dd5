// SPDX-License-Identifier: BSD-3-Clause
// An algorithm with its parameters, as users write it.
#pragma once

#include "predict/library/library_algorithms.hpp"

namespace alltold {

/// An algorithm and its parameters, without the clusters, which belong to the communicator.
struct Choice {
    const Algorithm* algorithm = nullptr; ///< null: the MPI library's own
    Parameters parameters = {};
    /// Where `algorithm` is null: which of the library's algorithms, pointing into the table of
    /// them, or one that another benchmark names, such as "pico.bine_lat_over"; empty: as the
    /// library decides itself.
    std::string_view library = {};

    /// Whether the library decides by itself.
    bool is_default() const { return !algorithm && library.empty(); }
};

bool operator==(const Choice& a, const Choice& b);

/// Reads "alltoall.rotated window=4", "bcast.chain_segmented segment=8KiB", "mpi" or
/// "mpi.pipeline segment=8KiB". Fails for an unknown name or key, naming it, and for a value that
/// is none; `wrong` is then that word. Does not check whether the algorithm takes the parameters.
Result<Choice> parse_choice(std::string_view text, std::string_view* wrong = nullptr);
/// The same for a call of this collective: also takes "flat" for bcast.flat.
Result<Choice> parse_choice(std::string_view text, Collective collective,
                            std::string_view* wrong = nullptr);

/// The choice of an algorithm that was measured: as parse_choice reads it, or by the name that
/// another benchmark gave it, which can be ranked but not run.
Choice measured_choice(const std::string& name);

/// "bcast.chain_segmented", "mpi", "mpi.pipeline": without parameters.
std::string algorithm_name(const Choice& choice);
/// As parse_choice reads it.
std::string text_of(const Choice& choice);

} // namespace alltold

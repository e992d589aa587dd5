// SPDX-License-Identifier: BSD-3-Clause
// The table of algorithms that MPI libraries can be forced to use, by name.
#pragma once

#include "network/mpi_library.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

struct LibraryAlgorithm {
    /// The numbers of ranks that the library supports.
    enum class Ranks : std::uint8_t { any, two, power_of_two };

    MpiLibrary library;
    Collective collective;
    std::string_view name; ///< "pairwise", as the library's own documentation has it
    int number = 0;        ///< in Open MPI's control variable; MPICH's are found by name
    Algorithm::Use segment = Algorithm::Use::no;
    Algorithm::Use window = Algorithm::Use::no; ///< Open MPI's max_requests
    Ranks ranks = Ranks::any;
};

/// Open MPI's component `tuned`, alike in 4.1, 5.0 and 6.0; MPICH 4.0 and later.
std::span<const LibraryAlgorithm> library_algorithms();

/// Whether the word is "mpi.pairwise" or the like; "mpi" is not.
bool names_library_algorithm(std::string_view word);
/// "pairwise" of "mpi.pairwise", pointing into the table. Fails, listing the names there are, for
/// one that no library has.
Result<std::string_view> library_algorithm_name(std::string_view word);

/// The algorithm of `library` of that name for `collective`. Fails, listing the known ones.
Result<const LibraryAlgorithm*> find_library_algorithm(MpiLibrary library, Collective collective,
                                                       std::string_view name);

/// Whether it can run on this many ranks with these parameters; fails, naming what is wrong.
Status accepts(const LibraryAlgorithm& algorithm, int ranks, const Parameters& parameters);

/// The segments (bytes; 0: not given) to try for an algorithm when trying all.
std::vector<std::uint64_t> segments_to_try(const LibraryAlgorithm& algorithm);

} // namespace alltold

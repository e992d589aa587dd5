// SPDX-License-Identifier: BSD-3-Clause
// The algorithms that MPI libraries can be told to use, by name: the one table of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

/// Whose control variables are known.
enum class MpiLibrary : std::uint8_t { other, open_mpi, mpich };

/// From the text of MPI_Get_library_version.
MpiLibrary library_named(std::string_view version);
/// "Open MPI", "MPICH"; empty for others.
std::string_view name_of(MpiLibrary library);

/// One algorithm of one library.
struct LibraryAlgorithm {
    /// For how many ranks the library carries it out.
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

/// What `library` has under that name for `collective`. Fails, listing what it has.
Result<const LibraryAlgorithm*> find_library_algorithm(MpiLibrary library, Collective collective,
                                                       std::string_view name);

/// Whether it can be run on so many ranks with these parameters; fails, naming what is wrong.
Status accepts(const LibraryAlgorithm& algorithm, int ranks, const Parameters& parameters);

/// With which segments (bytes, 0: none asked for) an algorithm is tried where all are.
std::vector<std::uint64_t> segments_to_try(const LibraryAlgorithm& algorithm);

} // namespace alltold

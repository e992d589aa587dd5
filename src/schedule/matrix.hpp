// SPDX-License-Identifier: BSD-3-Clause
// The block sizes of an all-to-all-v.
#pragma once

#include "schedule/specification.hpp"

namespace alltold {

/// Block sizes of every ordered pair, in proportion to one size m.
struct Matrix {
    std::string name;            ///< "skewed: 10 m to and from rank 3, m else"
    std::vector<double> weights; ///< from i to j at i * ranks + j, in units of m

    /// The all-to-all-v of `ranks` ranks with m = size_bytes; sizes are rounded to whole bytes.
    Specification specification(int ranks, std::uint64_t size_bytes) const;
};

/// Describes the values of the option --matrix.
inline constexpr const char* what_matrix_takes =
    "--matrix skewed, sparse, random or a file with one line of sizes for each rank";

/// One of three matrices generated from `seed`, for ranks >= 1:
/// - "skewed": one rank sends 10 m to and receives 10 m from each other rank, all others m;
/// - "sparse": 80 % of the ordered pairs of different ranks have 0, the others m;
/// - "random": uniform between 0 and 2 m.
/// A rank has m for itself. Fails for another word, naming these.
Result<Matrix> generated_matrix(std::string_view word, int ranks, std::uint64_t seed);
/// Whether `word` is one of these.
bool is_generated_matrix(std::string_view word);

/// Parses text with `ranks` lines of `ranks` sizes ("64KiB 0 4096 ..."): line i holds the blocks of
/// rank i for each rank. Skips empty lines and lines that begin with #. `m` becomes the largest
/// size. Fails, with `file` and line, for a bad size, a line too long or short, too many or few
/// lines, and a matrix without any bytes.
Result<Matrix> parse_matrix(std::string_view text, const std::string& file, int ranks,
                            std::uint64_t& m);

} // namespace alltold

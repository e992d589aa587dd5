// SPDX-License-Identifier: BSD-3-Clause
// Which library, in which version, is to read a file.
#pragma once

#include "predict/library/library_algorithms.hpp"

namespace alltold::rulefile {

/// A library and its version, as far as it is known.
struct Target {
    MpiLibrary library = MpiLibrary::other;
    std::optional<int> major = {}, minor = {}, patch = {};

    /// Whether the version is known and from a.b.c on.
    bool from(int a, int b = 0, int c = 0) const;
    /// Whether the version is known and below a.b.c. "4.1" alone is below 4.1.8, because it may be.
    bool before(int a, int b = 0, int c = 0) const;
    /// "openmpi-4.1", as parse_target reads it.
    std::string text() const;
};

/// Reads "openmpi", "openmpi-4.1", "mpich-4.0.2". Fails, naming what would be right.
Result<Target> parse_target(std::string_view text);

/// From the text of MPI_Get_library_version: "Open MPI v4.1.4, package: ...".
Target target_of(std::string_view library_version);

} // namespace alltold::rulefile

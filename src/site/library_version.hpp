// SPDX-License-Identifier: BSD-3-Clause
// An MPI library and its version as one word, by which profiles of a site are named.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace alltold::site {

struct LibraryVersion {
    std::string library; ///< "openmpi", "mpich": letters and digits
    std::string version; ///< "4.1.4"

    /// "openmpi-4.1.4"
    std::string text() const { return library + "-" + version; }
    bool operator==(const LibraryVersion&) const = default;
};

/// From the text of MPI_Get_library_version. Nothing where it has no version.
std::optional<LibraryVersion> library_version(std::string_view text);
/// From LibraryVersion::text().
std::optional<LibraryVersion> parse_library_version(std::string_view word);

/// Parts of two versions, between dots, that are equal from the start.
int common_parts(std::string_view a, std::string_view b);

} // namespace alltold::site

// SPDX-License-Identifier: BSD-3-Clause
// A lab's configured links, and beside them those found.
#pragma once

#include "store/profile.hpp"

namespace alltold::campaign {

/// Rates, the backbone's delay and buffers of the links of a lab, from a file that
/// `alltold lab --truth` wrote. Fails naming the file when it is no such file.
Result<LinkNetwork> built_links(const std::string& truth_file);

/// One quantity of a lab.
struct Recovery {
    std::string what;   ///< "NIC rate", "NIC rate of cluster 1"
    double built = 0;   ///< in the unit of `found`: payload bytes per second, seconds or bytes
    double found = 0;   ///< 0 where nothing was found
    double allowed = 0; ///< relative error a measurement may have
    std::string built_text;
    std::string found_text;

    double error() const { return found / built - 1; }
    bool right() const { return error() <= allowed && error() >= -allowed; }
};

/// NIC rate (3 %) and switch buffer (25 %), and on several clusters the backbone's rate (5 %),
/// delay (5 %) and queue (25 %), from built_links and a profile: from its links, else rate and
/// delay from its ping-pongs. Fails as built_links does.
Result<std::vector<Recovery>> recovered_links(const std::string& truth_file,
                                              const Profile& profile);

/// A table of them.
std::string truth_text(const std::vector<Recovery>& all);

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// The command to type next, as a user types it.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/specification.hpp"
#include "topology/clusters.hpp"

namespace alltold {

/// "-n 12", or on several clusters or ranks per host "--clusters 6+6".
std::string ranks_option(const Clusters& clusters);

/// " -m 64KiB"; nothing for a barrier, which takes none.
std::string size_option(Collective collective, std::uint64_t size_bytes);

/// "./alltold rank profile.json bcast -n 12 -m 256KiB --why". `command` is alltold as the user
/// called it.
std::string rank_command(const std::string& command, const std::string& profile,
                         Collective collective, const Clusters& clusters, std::uint64_t size_bytes);

} // namespace alltold

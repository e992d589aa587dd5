// SPDX-License-Identifier: BSD-3-Clause
// Hosts that were not measured, taken to be in the clusters of measured ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alltold::preload {

/// A host with its cluster; without one where it was not measured.
struct KnownHost {
    std::string name;
    std::optional<int> cluster;
    std::uint64_t switches = 0; ///< equal below the same switches; 0: not known
};

/// A host that was not measured, and a measured one in whose cluster it is taken to be.
struct TakenHost {
    std::string host;
    std::string as; ///< a measured host in its cluster
    int cluster = 0;
    bool by_switches = false; ///< else by name
    bool operator==(const TakenHost&) const = default;
};

/// How many characters two names have in common from the start: whole words and numbers, up to the
/// first dot. 0 without a letter among them, and where the names have different domains.
std::size_t common_start(std::string_view a, std::string_view b);

/// The cluster that `host` is taken to be in: that of the hosts of `measured`, which all have one,
/// below the same switches, else that of those whose names have the longest start in common with
/// its own. Nothing where these are in several clusters, or there are none.
std::optional<TakenHost> nearest_host(const KnownHost& host, std::span<const KnownHost> measured);

/// A sentence that names them; there is at least one.
std::string text_of(std::span<const TakenHost> taken);

} // namespace alltold::preload

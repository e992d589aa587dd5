// SPDX-License-Identifier: BSD-3-Clause
// Compares hosts, clusters and MPI library.
#include "store/same_network.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace alltold {

std::string network_difference(const Provenance& there, const Provenance& here) {
    if (there.hosts.size() != here.hosts.size())
        return fmt::format("it was measured with {} ranks, but this run has {}", there.hosts.size(),
                           here.hosts.size());
    const auto [was, is] =
        std::mismatch(there.hosts.begin(), there.hosts.end(), here.hosts.begin());
    if (was != there.hosts.end())
        return fmt::format("rank {} was on host '{}' and is now on '{}'", was - there.hosts.begin(),
                           *was, *is);
    if (there.clusters != here.clusters)
        return fmt::format("its clusters are {}, but this run has {}", there.clusters.text(),
                           here.clusters.text());
    if (there.mpi_library != here.mpi_library)
        return fmt::format("it was measured with '{}', but this run uses '{}'", there.mpi_library,
                           here.mpi_library);
    if (there.start_mode != here.start_mode)
        return fmt::format("its collectives follow {} (--start {}), but in this run {} "
                           "(--start {})",
                           what_precedes(there.start_mode), name_of(there.start_mode),
                           what_precedes(here.start_mode), name_of(here.start_mode));
    return "";
}

} // namespace alltold

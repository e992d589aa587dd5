// SPDX-License-Identifier: BSD-3-Clause
// Compares hosts, clusters and MPI library.
#include "store/same_network.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace alltold {

std::string network_difference(const Provenance& there, const Provenance& here,
                               const ComparedNetworks& called) {
    if (there.hosts.size() != here.hosts.size())
        return fmt::format("{} has {} ranks, {} {}", called.there, there.hosts.size(), called.here,
                           here.hosts.size());
    const auto [was, is] =
        std::mismatch(there.hosts.begin(), there.hosts.end(), here.hosts.begin());
    if (was != there.hosts.end())
        return fmt::format("rank {} of {} is on host '{}', of {} on '{}'",
                           was - there.hosts.begin(), called.there, *was, called.here, *is);
    if (there.clusters != here.clusters)
        return fmt::format("{} has clusters {}, {} {}", called.there, there.clusters.text(),
                           called.here, here.clusters.text());
    if (there.mpi_library != here.mpi_library)
        return fmt::format("{} was measured with '{}', {} with '{}'", called.there,
                           there.mpi_library, called.here, here.mpi_library);
    if (there.start_mode != here.start_mode)
        return fmt::format("collectives of {} ran {} (--start {}), of {} {} (--start {})",
                           called.there, in_words(there.start_mode), name_of(there.start_mode),
                           called.here, in_words(here.start_mode), name_of(here.start_mode));
    return "";
}

} // namespace alltold

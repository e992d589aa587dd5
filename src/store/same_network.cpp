// SPDX-License-Identifier: BSD-3-Clause
#include "store/same_network.hpp"

#include <fmt/format.h>

#include "topology/rank_order.hpp"

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

Result<Provenance> network_of_both(const Provenance& there, const Provenance& here) {
    auto before = there, both = here;
    if (is_imported(there) && is_imported(here)) {
        both.clusters = before.clusters = united(there.clusters, here.clusters);
        both.hosts = before.hosts = imported_hosts(both.clusters);
        both.start_mode = there.start_mode;
        if (here.mpi_library == unknown_library)
            both.mpi_library = there.mpi_library;
        else if (there.mpi_library == unknown_library)
            before.mpi_library = here.mpi_library;
    }
    const auto what = network_difference(before, both);
    return what.empty() ? Result(std::move(both)) : bad_input(what);
}

bool is_imported(const Provenance& there) {
    return there.clock_method.starts_with(imported_from);
}

std::vector<std::string> imported_hosts(const Clusters& clusters) {
    std::vector<std::string> hosts;
    for (int host = 0; host < clusters.hosts(); ++host)
        hosts.insert(hosts.end(), static_cast<std::size_t>(clusters.ranks_of_host(host)),
                     fmt::format("host{}", host));
    return hosts;
}

} // namespace alltold

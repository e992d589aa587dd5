// SPDX-License-Identifier: BSD-3-Clause
// Compares hosts, clusters and MPI library.
#include "store/same_network.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace alltold {
namespace {

const char* words_of(Lead lead) {
    return lead == Lead::silence ? "a silence" : lead == Lead::barrier ? "a barrier" : "each other";
}

} // namespace

std::string network_difference(const Surroundings& there, const Surroundings& here) {
    if (there.hosts.size() != here.hosts.size())
        return fmt::format("it was measured with {} ranks, here there are {}", there.hosts.size(),
                           here.hosts.size());
    const auto [was, is] =
        std::mismatch(there.hosts.begin(), there.hosts.end(), here.hosts.begin());
    if (was != there.hosts.end())
        return fmt::format("rank {} was on host '{}', here it is on '{}'",
                           was - there.hosts.begin(), *was, *is);
    if (there.clusters != here.clusters)
        return fmt::format("its clusters are {}, here they are {}", there.clusters.text(),
                           here.clusters.text());
    if (there.mpi_library != here.mpi_library)
        return fmt::format("it was measured with '{}', here the library is '{}'", there.mpi_library,
                           here.mpi_library);
    if (there.lead != here.lead)
        return fmt::format("its collectives follow {} (--start {}), here they follow {} "
                           "(--start {})",
                           words_of(there.lead), name_of(there.lead), words_of(here.lead),
                           name_of(here.lead));
    return "";
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Where a profile was measured.
#include "store/profile_fields.hpp"

#include <utility>

#include <fmt/format.h>

namespace alltold {

using nlohmann::ordered_json;

ordered_json to_json(const Provenance& where) {
    return {{"hosts", where.hosts},
            {"clusters", where.clusters.text()},
            {"clusters_from", where.clusters_from},
            {"mpi_library", where.mpi_library},
            {"kernel", where.kernel},
            {"clock_method", where.clock_method},
            {"start", name_of(where.start_mode)}};
}

Provenance read_provenance(JsonCursor at) {
    Provenance where;
    for (auto host : at.member("hosts").items())
        where.hosts.push_back(host.text());
    auto field = at.member("clusters");
    if (auto clusters = Clusters::parse(field.text()))
        where.clusters = std::move(*clusters);
    else
        field.complain(clusters.error().message);
    where.clusters_from = at.member("clusters_from").text();
    where.mpi_library = at.member("mpi_library").text();
    where.kernel = at.member("kernel").text();
    where.clock_method = at.member("clock_method").text();
    auto start = at.member("start");
    if (const auto start_mode = parse_start_mode(start.text()))
        where.start_mode = *start_mode;
    else
        start.complain(start_mode.error().message);
    at.only(
        {"hosts", "clusters", "clusters_from", "mpi_library", "kernel", "clock_method", "start"});
    const auto ranks = static_cast<std::size_t>(where.clusters.ranks());
    if (!where.hosts.empty() && where.hosts.size() != ranks)
        field.complain(fmt::format("expected {} ranks, one per entry of hosts, got {}",
                                   where.hosts.size(), ranks));
    return where;
}

} // namespace alltold

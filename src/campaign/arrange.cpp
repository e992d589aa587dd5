// SPDX-License-Identifier: BSD-3-Clause
// Flag, environment, host file, Slurm, measurement, in that order.
#include "campaign/arrange.hpp"

#include <algorithm>
#include <numeric>

#include "campaign/discover.hpp"
#include "core/launcher.hpp"
#include "core/result.hpp"
#include "core/text_file.hpp"
#include "runtime/mpi/agree.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/hosts.hpp"
#include "runtime/mpi/session.hpp"
#include "topology/host_file.hpp"
#include "topology/places.hpp"
#include "topology/rank_order.hpp"

namespace alltold::campaign {
namespace {

/// Each rank's place and the source of its cluster, which is empty if clusters must be found by
/// probing.
struct Assignment {
    Places places;
    std::string how;
};

/// Ranks of a single host cannot measure a network: each then counts as a host.
std::vector<int> hosts_to_measure(std::vector<int> host_of) {
    if (std::ranges::max(host_of) == 0)
        std::iota(host_of.begin(), host_of.end(), 0);
    return host_of;
}

Result<Assignment> from_sizes(const std::string& text, const std::string& name,
                              std::span<const int> host_of) {
    ALLTOLD_TRY(places, places_given(text, name, host_of));
    return Assignment{std::move(*places), "given by " + name};
}

Result<Assignment> from_host_file(const std::filesystem::path& path,
                                  const std::vector<std::string>& hosts) {
    ALLTOLD_TRY(text, read_text_file(path, "a launcher's host file"));
    ALLTOLD_TRY(file, HostFile::parse(*text, path.string()));
    if (file->silent())
        return Assignment{};
    ALLTOLD_TRY(clusters, file->clusters_of(hosts));
    return Assignment{{std::move(*clusters), hosts_to_measure(numbered_by_appearance(hosts))},
                      "given by host file " + path.string()};
}

/// The hosts below one switch as a cluster. Empty unless there are several, some with several
/// hosts, and every rank was told its switches.
Assignment from_switches(const std::vector<std::string>& switches,
                         const std::vector<std::string>& hosts) {
    if (std::ranges::find(switches, std::string()) != switches.end())
        return {};
    auto cluster_of = numbered_by_appearance(switches);
    auto host_of = numbered_by_appearance(hosts);
    const int last_cluster = std::ranges::max(cluster_of), last_host = std::ranges::max(host_of);
    if (last_cluster == 0 || last_cluster == last_host)
        return {};
    return {{std::move(cluster_of), std::move(host_of)}, "given by Slurm's topology"};
}

/// The assignment from rank 0's request, or from what Slurm tells all ranks; empty without either.
Result<Assignment> requested(const ClusterRequest& request, const std::vector<std::string>& hosts,
                             const std::vector<std::string>& switches) {
    for (const auto& [text, name] : {std::pair(request.flag, "--clusters"),
                                     std::pair(request.environment, "ALLTOLD_CLUSTERS")}) {
        if (text == automatic)
            return Assignment{};
        if (!text.empty())
            return from_sizes(text, name, numbered_by_appearance(hosts));
    }
    if (!request.host_file.empty())
        if (auto named = from_host_file(request.host_file, hosts); !named || !named->how.empty())
            return named;
    return from_switches(switches, hosts);
}

/// Rank 0's numbers, one for each rank, on every rank.
Status broadcast(const mpi::ManagedCommunicator& world, std::vector<int>& numbers) {
    numbers.resize(static_cast<std::size_t>(world.size()));
    return mpi::check(PMPI_Bcast(numbers.data(), world.size(), MPI_INT, 0, world.handle()),
                      "MPI_Bcast");
}

/// Broadcasts rank 0's assignment, or discovers the clusters if it is empty. Collective.
Result<Assignment> broadcast_or_discover(const mpi::ManagedCommunicator& world, Assignment assigned,
                                         const std::vector<std::string>& hosts) {
    ALLTOLD_TRY(how, world.broadcast_text(assigned.how));
    auto& [cluster_of, host_of] = assigned.places;
    if (how->empty())
        host_of = numbered_by_appearance(hosts);
    ALLTOLD_TRY_DONE(broadcast(world, host_of));
    if (!how->empty()) {
        ALLTOLD_TRY_DONE(broadcast(world, cluster_of));
        return Assignment{std::move(assigned.places), *how};
    }
    ALLTOLD_TRY(found, discover(world, host_of));
    return Assignment{{std::move(found->cluster_of), hosts_to_measure(std::move(host_of))},
                      std::move(found->how)};
}

} // namespace

Result<Arrangement> arrange(const mpi::ManagedCommunicator& world, const ClusterRequest& request) {
    ALLTOLD_TRY(hosts, world.gather_text(mpi::host_name()));
    ALLTOLD_TRY(switches, world.gather_text(slurm_switches(mpi::host_name())));
    auto assigned = world.rank() == 0 ? requested(request, *hosts, *switches)
                                      : Result<Assignment>(Assignment{});
    ALLTOLD_TRY_DONE(mpi::agree(world, assigned ? Status(Done{}) : assigned.error()));
    // From here on a single rank may fail while the others wait for it, so errors abort.
    const auto known = broadcast_or_discover(world, std::move(*assigned), *hosts);
    if (!known)
        mpi::Session::abort(known.error());
    // Numbered by appearance, rank 0's cluster comes first, with its host, and rank 0 stays.
    const auto& [cluster_of, host_of] = known->places;
    const auto order = order_by_host(numbered_by_appearance(cluster_of), host_of);
    auto ranks = world.ordered(order.place_of(world.rank()));
    if (!ranks)
        mpi::Session::abort(ranks.error());
    Arrangement made{std::move(*ranks), order.clusters, known->how, {}};
    if (world.rank() == 0)
        for (const int rank : order.ranks)
            made.hosts.push_back((*hosts)[static_cast<std::size_t>(rank)]);
    return made;
}

} // namespace alltold::campaign

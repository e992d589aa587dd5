// SPDX-License-Identifier: BSD-3-Clause
// Flag, environment, host file, measurement, in that order.
#include "campaign/arrange.hpp"

#include <array>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

#include "campaign/discover.hpp"
#include "core/text_file.hpp"
#include "runtime/mpi/agree.hpp"
#include "runtime/mpi/error.hpp"
#include "runtime/mpi/session.hpp"
#include "topology/host_file.hpp"
#include "topology/rank_order.hpp"

namespace alltold::campaign {
namespace {

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

/// Each rank's cluster and the source of that; empty if clusters must be found by probing.
struct ClusterAssignment {
    std::vector<int> cluster_of;
    std::string how;
};

Result<ClusterAssignment> from_sizes(const std::string& text, const std::string& name,
                                     std::size_t ranks) {
    const auto clusters = Clusters::parse(text);
    if (!clusters)
        return bad_input(fmt::format("{}: {}", name, clusters.error().message));
    if (static_cast<std::size_t>(clusters->ranks()) != ranks)
        return bad_input(fmt::format("{} {}: {} ranks are needed, but {} were started", name,
                                     clusters->text(), clusters->ranks(), ranks));
    ClusterAssignment assigned{{}, "given by " + name};
    for (int rank = 0; rank < clusters->ranks(); ++rank)
        assigned.cluster_of.push_back(clusters->cluster_of(rank));
    return assigned;
}

Result<ClusterAssignment> from_host_file(const std::filesystem::path& path,
                                         const std::vector<std::string>& hosts) {
    const auto text = read_text_file(path, "a launcher's host file");
    if (!text)
        return text.error();
    const auto file = HostFile::parse(*text, path.string());
    if (!file)
        return file.error();
    if (file->silent())
        return ClusterAssignment{};
    auto clusters = file->clusters_of(hosts);
    if (!clusters)
        return clusters.error();
    return ClusterAssignment{std::move(*clusters), "given by host file " + path.string()};
}

/// The assignment from rank 0's request; empty without one.
Result<ClusterAssignment> requested_clusters(const ClusterRequest& request,
                                             const std::vector<std::string>& hosts) {
    for (const auto& [text, name] : {std::pair(request.flag, "--clusters"),
                                     std::pair(request.environment, "ALLTOLD_CLUSTERS")}) {
        if (text == automatic)
            return ClusterAssignment{};
        if (!text.empty())
            return from_sizes(text, name, hosts.size());
    }
    return request.host_file.empty() ? ClusterAssignment{}
                                     : from_host_file(request.host_file, hosts);
}

/// Rank 0's numbers, one for each rank, on every rank.
Result<std::vector<int>> broadcast(const mpi::Communicator& world, std::vector<int> numbers) {
    numbers.resize(static_cast<std::size_t>(world.size()));
    if (auto sent = mpi::check(PMPI_Bcast(numbers.data(), world.size(), MPI_INT, 0, world.handle()),
                               "MPI_Bcast");
        !sent)
        return sent.error();
    return numbers;
}

/// The same number for ranks of one host.
std::vector<int> numbers_of(const std::vector<std::string>& hosts) {
    std::map<std::string, int> known;
    std::vector<int> numbers;
    for (const auto& host : hosts)
        numbers.push_back(known.try_emplace(host, static_cast<int>(known.size())).first->second);
    return numbers;
}

/// Broadcasts rank 0's assignment, or discovers the clusters if it is empty. Collective.
Result<ClusterAssignment> broadcast_or_discover(const mpi::Communicator& world,
                                                ClusterAssignment assigned,
                                                const std::vector<std::string>& hosts) {
    const auto how = world.broadcast_text(assigned.how);
    if (!how)
        return how.error();
    auto numbers =
        broadcast(world, how->empty() ? numbers_of(hosts) : std::move(assigned.cluster_of));
    if (!numbers)
        return numbers.error();
    if (!how->empty())
        return ClusterAssignment{std::move(*numbers), *how};
    auto found = discover(world, *numbers);
    if (!found)
        return found.error();
    return ClusterAssignment{std::move(found->cluster_of), std::move(found->how)};
}

} // namespace

Result<Arrangement> arrange(const mpi::Communicator& world, const ClusterRequest& request) {
    const auto hosts = world.gather_text(host_name());
    if (!hosts)
        return hosts.error();
    auto assigned = world.rank() == 0 ? requested_clusters(request, *hosts)
                                      : Result<ClusterAssignment>(ClusterAssignment{});
    if (auto agreed = mpi::agree(world, assigned ? Status(Done{}) : assigned.error()); !agreed)
        return agreed.error();
    // From here on a single rank may fail while the others wait for it, so errors abort.
    const auto known = broadcast_or_discover(world, std::move(*assigned), *hosts);
    if (!known)
        mpi::Session::abort(known.error());
    // Numbered by appearance, rank 0's cluster comes first and rank 0 stays where it is.
    const auto order = order_by_cluster(numbered_by_appearance(known->cluster_of));
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

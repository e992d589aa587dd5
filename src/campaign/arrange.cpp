// SPDX-License-Identifier: BSD-3-Clause
// Flag, environment, host file, Slurm, or probes of pairs of hosts, in that order.
#include "campaign/arrange.hpp"

#include <fmt/format.h>

#include "campaign/probes/shared/round_trips.hpp"
#include "core/environment.hpp"
#include "core/units.hpp"
#include "runtime/mpi/hosts.hpp"
#include "runtime/mpi/requests.hpp"
#include "runtime/mpi/session.hpp"
#include "topology/find_clusters.hpp"
#include "topology/rank_order.hpp"

namespace alltold::campaign {
namespace {

constexpr double longest_nap_in_discovery_s = 1e-3;
constexpr int tag = 1; // on a communicator of our own

/// The bytes sent between two hosts, and how much of a round trip is their distance.
struct Exchange {
    RoundTrips trips;
    double share;
};
constexpr Exchange latency{{}, 0.5};
constexpr Exchange transfer{{64 * 1024, 40e-3, 2, 8}, 1};

/// Combines the values of all ranks; a rank without a value has 0. Waiting ranks sleep and leave
/// the processors to those still probing.
Status share(const mpi::ManagedCommunicator& over, std::vector<double>& values) {
    MPI_Request request = MPI_REQUEST_NULL;
    ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Iallreduce, MPI_IN_PLACE, values.data(),
                                  static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                                  over.handle(), &request));
    return mpi::wait_napping(request, longest_nap_in_discovery_s);
}

/// One round of pairs of ranks.
Result<std::vector<double>> probe(const mpi::ManagedCommunicator& over,
                                  std::span<const HostPair> pairs, const Exchange& how) {
    std::vector<double> times_s(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (pairs[i].first == over.rank()) {
            ALLTOLD_TRY(trip_s, least_trip_s(over, pairs[i].second, tag, how.trips));
            times_s[i] = how.share * *trip_s;
        } else if (pairs[i].second == over.rank()) {
            ALLTOLD_TRY_DONE(answer_trips(over, pairs[i].first, tag, how.trips));
        }
    }
    ALLTOLD_TRY_DONE(share(over, times_s));
    return times_s;
}

/// find_clusters among `hosts`, each given by its representative rank.
Result<Grouping> find(const mpi::ManagedCommunicator& over, const std::vector<int>& hosts,
                      const Exchange& how, const SearchOptions& options) {
    return find_clusters(
        static_cast<int>(hosts.size()),
        [&](std::span<const HostPair> pairs) {
            std::vector<HostPair> ranks;
            for (const auto& pair : pairs)
                ranks.push_back({hosts[static_cast<std::size_t>(pair.first)],
                                 hosts[static_cast<std::size_t>(pair.second)]});
            return probe(over, ranks, how);
        },
        options);
}

SearchOptions transfer_search() {
    SearchOptions options;
    options.rule.smallest = 2;
    options.first_rounds = 5;
    return options;
}
constexpr int fewest_for_transfers = 4;

/// The lowest rank of each host, and the index of each rank's host among them.
struct Hosts {
    std::vector<int> first;
    std::vector<int> of_rank;

    explicit Hosts(const std::vector<int>& host_of) : of_rank(numbered_by_appearance(host_of)) {
        for (int rank = 0; rank < std::ssize(of_rank); ++rank)
            if (of_rank[static_cast<std::size_t>(rank)] == std::ssize(first))
                first.push_back(rank);
    }
};

/// The state of the search, from latencies to transfers.
struct Found {
    std::vector<int> cluster_of; ///< by host; not yet numbered without gaps
    int pairs = 0;
    std::string from = "latency";
    double intra_cluster_s = 0;
    double inter_cluster_s = 0;

    void count(const Grouping& grouping) { pairs += grouping.pairs; }
};

/// Splits the hosts of one cluster further if transfers between them show several.
Status split_by_transfers(const mpi::ManagedCommunicator& over, const Hosts& hosts, int cluster,
                          Found& found) {
    std::vector<std::size_t> members;
    std::vector<int> ranks;
    for (std::size_t host = 0; host < hosts.first.size(); ++host)
        if (found.cluster_of[host] == cluster) {
            members.push_back(host);
            ranks.push_back(hosts.first[host]);
        }
    if (std::ssize(members) < fewest_for_transfers)
        return Done{};
    ALLTOLD_TRY(parts, find(over, ranks, transfer, transfer_search()));
    found.count(*parts);
    if (parts->clusters() == 1)
        return Done{};
    const int next = 1 + std::ranges::max(found.cluster_of);
    for (std::size_t i = 0; i < members.size(); ++i)
        if (parts->cluster_of[i] > 0)
            found.cluster_of[members[i]] = next + parts->cluster_of[i] - 1;
    found.from = fmt::format(
        "transfers of {} ({} within clusters, {} between)", format_size(transfer.trips.there_bytes),
        format_time(parts->intra_cluster_s), format_time(parts->inter_cluster_s));
    return Done{};
}

std::string text_of(const Found& found, std::size_t hosts, double time_s) {
    if (hosts == 1)
        return "one host, no probing";
    const bool several = std::ranges::max(found.cluster_of) > 0;
    auto text = "found from " + found.from;
    if (found.from == "latency")
        text += several ? fmt::format(" ({} within clusters, {} between)",
                                      format_time(found.intra_cluster_s),
                                      format_time(found.inter_cluster_s))
                        : fmt::format(" and transfers: no gap ({} between hosts)",
                                      format_time(found.intra_cluster_s));
    return text + fmt::format(", {} pairs of {} hosts probed in {}", found.pairs, hosts,
                              format_time(time_s));
}

/// The clusters found; the same on all ranks.
struct Discovery {
    std::vector<int> cluster_of; ///< by rank, numbered by appearance
    std::string how;             ///< "found from latency (...)", with the figures
};

/// Finds the clusters of the ranks of `world` on hosts `host_of` (by rank, any numbers; the same on
/// all ranks). Ranks of one host are in one cluster and not probed; the lowest rank of each host
/// represents it. All ranks run find_clusters in parallel, first on latencies: the least half round
/// trip of one byte, at least 3, as many as fit into 10 ms, at most 30. Within each cluster of four
/// hosts or more it runs again on the times of 64 KiB, to find clusters that are close to each
/// other but joined by a backbone slower than half a host's link. In this step a single slow host
/// is no cluster, since its own link may be the reason. A backbone with several times a link's rate
/// and no added latency is not found: to a single pair it looks like the local network. Collective;
/// each round costs its probes and one all-reduce. Waiting ranks sleep.
Result<Discovery> discover(const mpi::ManagedCommunicator& world, const std::vector<int>& host_of) {
    ALLTOLD_TRY(over, world.dup());
    const double started_s = Clock::true_now_s();
    const Hosts hosts(host_of);
    ALLTOLD_TRY(latencies, find(*over, hosts.first, latency, {}));
    Found found;
    found.cluster_of = latencies->cluster_of;
    found.intra_cluster_s = latencies->intra_cluster_s;
    found.inter_cluster_s = latencies->inter_cluster_s;
    found.count(*latencies);
    for (int cluster = 0; cluster < latencies->clusters(); ++cluster)
        ALLTOLD_TRY_DONE(split_by_transfers(*over, hosts, cluster, found));
    std::vector<double> time_s{Clock::true_now_s() - started_s};
    ALLTOLD_TRY_DONE(share(*over, time_s));
    Discovery discovery{{}, text_of(found, hosts.first.size(), time_s.front())};
    for (const int host : hosts.of_rank)
        discovery.cluster_of.push_back(found.cluster_of[static_cast<std::size_t>(host)]);
    discovery.cluster_of = numbered_by_appearance(discovery.cluster_of);
    return discovery;
}

/// Rank 0's numbers, one for each rank, on every rank.
Status broadcast(const mpi::ManagedCommunicator& world, std::vector<int>& numbers) {
    numbers.resize(static_cast<std::size_t>(world.size()));
    return ALLTOLD_PMPI(Bcast, numbers.data(), world.size(), MPI_INT, 0, world.handle());
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
    ALLTOLD_TRY(hosts, world.gather_text(host_name()));
    ALLTOLD_TRY(switches, world.gather_text(slurm_switches(host_name())));
    auto assigned = world.rank() == 0 ? assigned_places(request, *hosts, *switches)
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

// SPDX-License-Identifier: BSD-3-Clause
// Floods by UDP: the rates and queues of ports and of the paths between clusters.
#include "campaign/probe.hpp"

#include "campaign/engine/samples.hpp"
#include "campaign/plan.hpp"
#include "campaign/probes/shared/flood_side.hpp"
#include "network/links/port_fit.hpp"
#include "runtime/mpi/requests.hpp"

namespace alltold::campaign {
namespace {

/// Three hosts fill a port's queue twice as fast as it drains.
constexpr int most_port_senders = 3;
constexpr double longest_nap_s = 500e-6;

/// The senders and receivers of one port or path, as places among the ranks of the measurement,
/// and the ranks by which its points are named.
struct FloodGroup {
    std::vector<int> senders;
    std::vector<int> receivers; ///< the only one, or one for each sender
    Clusters clusters{{1}};
    int first_rank = -1, second_rank = -1;
    std::size_t far = 0; ///< so many of the last senders are in another cluster than the others

    /// The mean length of their packets on the wire, as a share of a full one.
    double mean_packet() const {
        double sum = 0;
        for (std::size_t i = 0; i < senders.size(); ++i)
            sum += flood_packet_bytes - static_cast<double>(full_packet_bytes - packet_bytes_of(i));
        return sum / static_cast<double>(senders.size()) / flood_packet_bytes;
    }
    int receiver_of(std::size_t sender) const {
        return receivers[std::min(sender, receivers.size() - 1)];
    }
};

std::vector<int> places(int first, int count) {
    std::vector<int> all;
    for (int i = 0; i < count; ++i)
        all.push_back(first + i);
    return all;
}

/// The cluster of two hosts whose port floods can fill with the help of a host of the next cluster.
int helped_cluster(const Clusters& hosts) {
    const auto sizes = hosts.sizes();
    return static_cast<int>(std::ranges::find(sizes, 2) - sizes.begin());
}

/// One port in each cluster of three hosts or more: all its hosts of the point but the last flood
/// the last. Without such a cluster, one port that a host of its cluster and one of the next flood.
std::vector<FloodGroup> port_groups(const Point& point, const Clusters& world) {
    std::vector<FloodGroup> groups;
    for (int c = 0; c < point.clusters.count(); ++c)
        if (const int senders = point.clusters.size(c) - 1; senders >= 2) {
            const int first = point.clusters.first(c);
            groups.push_back({places(first, senders),
                              {first + senders},
                              Clusters({senders + 1}),
                              world.first(c)});
        }
    if (groups.empty()) {
        const int c = helped_cluster(point.clusters), first = point.clusters.first(c);
        const int far = point.clusters.first((c + 1) % point.clusters.count());
        FloodGroup group{{first, far}, {first + 1}, Clusters({2}), world.first(c)};
        group.far = 1;
        groups.push_back(std::move(group));
    }
    return groups;
}

/// The cluster with the most hosts of the point to all others.
FloodGroup uplink_group(const Point& point, const Clusters& world) {
    const auto hosts = point.clusters.sizes();
    const int from = static_cast<int>(std::ranges::max_element(hosts) - hosts.begin());
    const int senders = point.clusters.size(from);
    FloodGroup group{places(point.clusters.first(from), senders),
                     {},
                     Clusters({senders, senders}),
                     world.first(from)};
    for (int c = 0; c < world.count(); ++c)
        for (int i = 0; c != from && i < point.clusters.size(c); ++i)
            group.receivers.push_back(point.clusters.first(c) + i);
    group.receivers.resize(static_cast<std::size_t>(senders));
    return group;
}

/// Clusters of that distance in a circle: each sends to one and receives from one, and at half the
/// circle one of both does. Of distance 0: one cluster sends to all others.
std::vector<FloodGroup> path_groups(const Point& point, const Clusters& world) {
    if (point.count == 0)
        return {uplink_group(point, world)};
    std::vector<FloodGroup> groups;
    const int all = world.count();
    for (int a = 0; a < all; ++a) {
        const int b = (a + point.count) % all;
        if (2 * point.count == all && a > b)
            continue;
        const int pairs = std::min(point.clusters.size(a), point.clusters.size(b));
        groups.push_back({places(point.clusters.first(a), pairs),
                          places(point.clusters.first(b), pairs), Clusters({pairs, pairs}),
                          world.first(a), world.first(b)});
    }
    return groups;
}

/// One rank's side of the floods of one measurement.
class Flood {
  public:
    Flood(const mpi::ManagedCommunicator& over, std::vector<FloodGroup> groups,
          const GlobalClock& clock)
        : over_(over), groups_(std::move(groups)), clock_(clock) {}

    /// Opens sockets and exchanges their addresses. Collective over the communicator.
    Status prepare() {
        sockaddr_in mine{};
        if (const auto address = busiest_address()) {
            auto opened = UdpSocket::open(*address);
            if (opened) {
                socket_.emplace(std::move(*opened));
                mine = socket_->address();
            }
        }
        std::vector<sockaddr_in> addresses(static_cast<std::size_t>(over_.size()));
        ALLTOLD_TRY_DONE(ALLTOLD_PMPI(Allgather, &mine, sizeof mine, MPI_BYTE, addresses.data(),
                                      sizeof mine, MPI_BYTE, over_.handle()));
        if (std::ranges::all_of(addresses, [](const auto& one) { return one.sin_port != 0; }))
            role_ = role(addresses);
        return Done{};
    }

    /// One flood, and what it showed to rank 0. Collective.
    Status operator()() {
        FloodReceipt receipt;
        if (role_)
            receipt = run_flood(*socket_, *role_, ++flood_, clock_);
        receipts_.resize(static_cast<std::size_t>(over_.size()));
        return mpi::gather_napping(over_, std::as_bytes(std::span(&receipt, 1)),
                                   std::as_writable_bytes(std::span(receipts_)), longest_nap_s);
    }

    /// Rank 0: the values of the last flood.
    std::vector<std::pair<Point, double>> values() const {
        std::vector<std::pair<Point, double>> all;
        for (const auto& group : groups_) {
            std::vector<FloodReceipt> receipts;
            for (const int receiver : group.receivers)
                receipts.push_back(receipts_[static_cast<std::size_t>(receiver)]);
            auto reading = read_flood(receipts);
            reading.packets_per_s *= group.mean_packet(); // full packets that take as long
            reading.queue_packets *= group.mean_packet();
            const auto point = [&](const char* probe) {
                return Point{probe,
                             "udp",
                             group.clusters,
                             full_packet_bytes,
                             group.first_rank,
                             group.second_rank};
            };
            all.emplace_back(point("flood_gap"),
                             reading.packets_per_s > 0 ? 1 / reading.packets_per_s : 0);
            all.emplace_back(point("flood_queue"), reading.queue_packets);
        }
        return all;
    }

  private:
    FloodRole role(const std::vector<sockaddr_in>& addresses) const {
        FloodRole mine;
        const int here = over_.rank();
        const auto address = [&](int place) { return addresses[static_cast<std::size_t>(place)]; };
        for (const auto& group : groups_)
            for (std::size_t i = 0; i < group.senders.size(); ++i) {
                if (group.senders[i] == here) {
                    mine.number = static_cast<std::uint32_t>(i);
                    mine.target = address(group.receiver_of(i));
                }
                if (std::ranges::count(group.receivers, here) > 0) {
                    mine.near = group.senders.size() - group.far;
                    mine.senders.push_back(address(group.senders[i]));
                    mine.sends_here.push_back(group.receiver_of(i) == here);
                }
            }
        return mine;
    }

    const mpi::ManagedCommunicator& over_;
    std::vector<FloodGroup> groups_;
    const GlobalClock& clock_;
    std::optional<UdpSocket> socket_;
    std::optional<FloodRole> role_;
    std::uint64_t flood_ = 0;
    std::vector<FloodReceipt> receipts_;
};

template <auto groups_of>
Status measure(Context& context) {
    if (!takes_part(context))
        return repeat_outside(context);
    ALLTOLD_TRY(over, context.ranks.subset(context.point()));
    Flood flood(**over, groups_of(context.point(), context.ranks.clusters()),
                context.ranks.clock());
    ALLTOLD_TRY_DONE(flood.prepare());
    return repeat(context, {.run = std::ref(flood), .also = [&] { return flood.values(); }});
}

Point flood_point(const char* probe, std::vector<int> hosts, int count) {
    return {probe, "udp", Clusters(std::move(hosts)), full_packet_bytes, -1, -1, count};
}

Result<std::vector<Point>> plan_ports(const Clusters& world, const Request& request) {
    if (!request.floods)
        return std::vector<Point>();
    const int largest = std::ranges::max(world.sizes());
    std::vector<int> hosts;
    for (const int size : world.sizes())
        hosts.push_back(size >= 3 ? std::min(size, most_port_senders + 1) : 1);
    if (largest == 2 && world.count() > 1)
        hosts[static_cast<std::size_t>(helped_cluster(world))] = 2;
    else if (largest < 3)
        return std::vector<Point>();
    return std::vector{flood_point("port_floods", hosts, 0)};
}

/// Hosts of a cluster that can each flood a host of their own in the other clusters.
int senders_outward(const Clusters& world, int cluster) {
    return std::min(world.size(cluster), world.ranks() - world.size(cluster));
}

/// The cluster that can offer its uplink most.
int widest_cluster(const Clusters& world) {
    int widest = 0;
    for (int c = 1; c < world.count(); ++c)
        if (senders_outward(world, c) > senders_outward(world, widest))
            widest = c;
    return widest;
}

/// The hosts of a flood from the widest cluster to all others, one at least of each and fewer of
/// each than of the widest; empty if no more can send than between two clusters.
std::vector<int> uplink_hosts(const Clusters& world) {
    const int from = widest_cluster(world), senders = senders_outward(world, from);
    std::vector<int> hosts(static_cast<std::size_t>(world.count()), 1);
    hosts[static_cast<std::size_t>(from)] = senders;
    int most_pairs = 0, left = senders - (world.count() - 1);
    for (int c = 0; c < world.count(); ++c) {
        if (c == from)
            continue;
        most_pairs = std::max(most_pairs, std::min(senders, world.size(c)));
        const int more = std::clamp(left, 0, world.size(c) - 1);
        hosts[static_cast<std::size_t>(c)] += more;
        left -= more;
    }
    return senders > most_pairs ? hosts : std::vector<int>();
}

Result<std::vector<Point>> plan_paths(const Clusters& world, const Request& request) {
    std::vector<Point> points;
    const int all = world.count();
    for (int apart = 1; request.floods && 2 * apart <= all; ++apart) {
        std::vector<int> hosts;
        for (int c = 0; c < all; ++c) {
            const int most =
                std::max(world.size((c + apart) % all), world.size((c + all - apart) % all));
            hosts.push_back(std::min(world.size(c), most));
        }
        points.push_back(flood_point("path_floods", hosts, apart));
    }
    if (request.floods && all > 2)
        if (auto hosts = uplink_hosts(world); !hosts.empty())
            points.push_back(flood_point("path_floods", std::move(hosts), 0));
    return points;
}

Probe floods(std::string_view name, std::string_view help,
             Result<std::vector<Point>> (*plan)(const Clusters&, const Request&),
             Status (*measure)(Context&), int (*urgency)(const Point&)) {
    Probe probe{name, "links", help, plan, measure};
    probe.warm = true;
    probe.urgency = urgency;
    probe.units = {{"flood_queue", "packets"}};
    return probe;
}

} // namespace

std::vector<Probe> flood_probes() {
    return {
        // TW99 section 3, network buffer: "we perform a set of tests which flood the router under
        // different duration, and record the percentage of packet arrival". Here one flood lasts
        // until the queue overflows, and arrivals are stamped: their rate is that of the port, and
        // the time that packets then spend in the queue gives its size. Up to three hosts of each
        // cluster flood a fourth by UDP, since MPI hides losses, over the addresses MPI uses, all
        // clusters at once. Where no cluster has three hosts but one has two, a host of another
        // cluster helps one of them to fill the other's port; its own packets, which may be lost or
        // wait elsewhere, tell nothing. Each flood gives for each cluster a "flood_gap", seconds
        // between packets that leave the port, 0 where none arrive, and a "flood_queue", packets
        // that fit into its queue, 0 where it does not overflow.
        floods("port_floods", "seconds of a flood of one port in each cluster", plan_ports,
               measure<port_groups>, urgency_of_all<2>),
        // As above for the path from one cluster to another: each host of the one floods its own
        // partner in the other, so that no port carries more than one sender's packets. Paths at
        // once share neither the cluster that sends nor the one that receives. Where one cluster
        // has more hosts than any path to another can show, it also floods all others at once: what
        // they share is its uplink.
        floods("path_floods", "seconds of floods from clusters to others", plan_paths,
               measure<path_groups>, urgency_of_all<3>),
    };
}

} // namespace alltold::campaign

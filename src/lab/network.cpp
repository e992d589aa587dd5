// SPDX-License-Identifier: BSD-3-Clause
// Wires the nodes of a lab: bridges, ports that drain at the NIC rate, routers, control network.
#include "lab/network.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lab/relay.hpp"

namespace alltold::lab {

namespace {

/// A token bucket must hold what leaves while its timer is late, and as little more as possible.
std::uint64_t burst_bytes(double bit_per_s) {
    constexpr double lateness_s = 250e-6;
    return std::max<std::uint64_t>(2 * frame_bytes,
                                   static_cast<std::uint64_t>(bit_per_s / 8 * lateness_s));
}

std::string shape(const std::string& device, double bit_per_s, std::uint64_t limit_bytes) {
    return fmt::format("qdisc add dev {} root tbf rate {:.0f}bit burst {} limit {}\n", device,
                       bit_per_s, burst_bytes(bit_per_s), limit_bytes);
}

Status batch(const char* tool, const std::string& lines, const Node* node) {
    const auto ran = run_tool({tool, "-batch", "-"}, lines, node ? node->network.get() : -1);
    return ran ? Status(Done{}) : Status(ran.error());
}

std::string bridge(const std::string& name) {
    return fmt::format("link add {0} type bridge forward_delay 0 stp_state 0 mcast_snooping 0\n"
                       "link set {0} up\n",
                       name);
}

/// A cable: `device` of the process `pid`, and a port of `bridge_name` in the wires' namespace.
std::string cable(const std::string& port, const std::string& bridge_name,
                  const std::string& device, pid_t pid, const std::string& peer_options = "") {
    return fmt::format("link add {0} type veth peer name {2} {4} netns {3}\n"
                       "link set {0} master {1} up\n",
                       port, bridge_name, device, pid, peer_options);
}

Status lay_cables(const LabOptions& options, const Network& made) {
    const auto& clusters = options.clusters;
    std::string links = bridge("control") + cable("c-head", "control", "ctl0", getpid());
    std::string queues;
    for (int c = 0; c < clusters.count(); ++c) {
        const auto name = cluster_name(c);
        links += bridge("s-" + name);
        if (clusters.count() > 1)
            links += cable("r-" + name, "s-" + name, "eth0",
                           made.routers[static_cast<std::size_t>(c)].pid,
                           "address " + hardware_address(c, 254));
    }
    for (int rank = 0; rank < clusters.ranks(); ++rank) {
        const auto& host = made.hosts[static_cast<std::size_t>(rank)];
        const int c = clusters.cluster_of(rank);
        links += cable("p-" + host.name, "s-" + cluster_name(c), "eth0", host.pid,
                       "address " + hardware_address(c, rank - clusters.first(c) + 1));
        links += cable("c-" + host.name, "control", "ctl0", host.pid);
        queues += shape("p-" + host.name, options.nic_bit_per_s, options.buffer_bytes);
    }
    if (auto done = batch("ip", links, &made.wires); !done)
        return done;
    return batch("tc", queues, &made.wires);
}

/// Neighbours are static, because a lost ARP request would cost a second.
std::string neighbours(const Clusters& clusters, int c, int own_host) {
    std::string lines;
    const auto add = [&](int host) {
        if (host != own_host)
            lines += fmt::format("neigh add 198.18.{}.{} lladdr {} dev eth0 nud permanent\n", c,
                                 host, hardware_address(c, host));
    };
    for (int host = 1; host <= clusters.size(c); ++host)
        add(host);
    if (clusters.count() > 1)
        add(254);
    return lines;
}

Status configure_host(const LabOptions& options, const Node& host, int rank) {
    const auto& clusters = options.clusters;
    const int c = clusters.cluster_of(rank);
    const auto own = data_address(clusters, rank);
    // One segment per packet: a host that sends 64 KiB at once would defeat the buffer sizes.
    // Congestion control is set per route: in a network namespace the sysctl accepts only the few
    // that plain users may use, often without cubic.
    std::string lines = fmt::format("link set lo up\n"
                                    "link set eth0 gso_max_segs 1\n"
                                    "addr add {0}/24 dev eth0 noprefixroute\n"
                                    "addr add {1}/16 dev ctl0\n"
                                    "link set eth0 up\n"
                                    "link set ctl0 up\n"
                                    "route add 198.18.{2}.0/24 dev eth0 src {0} congctl {3}\n",
                                    own, control_address(clusters, rank), c, options.tcp);
    if (clusters.count() > 1)
        lines += fmt::format("route add 198.18.0.0/16 via 198.18.{}.254 src {} congctl {}\n", c,
                             own, options.tcp);
    lines += neighbours(clusters, c, rank - clusters.first(c) + 1);
    if (auto done = batch("ip", lines, &host); !done)
        return done;
    // The host's own queue is long: a full NIC holds TCP back without loss.
    constexpr std::uint64_t host_queue_bytes = 16 << 20;
    return batch("tc", shape("eth0", options.nic_bit_per_s, host_queue_bytes), &host);
}

Status configure_router(const Clusters& clusters, const Node& router, int c) {
    return batch("ip",
                 fmt::format("link set lo up\n"
                             "addr add 198.18.{}.254/24 dev eth0\n"
                             "link set eth0 up\n"
                             "link set wan0 txqueuelen 10000\n"
                             "link set wan0 up\n"
                             "route add 198.18.0.0/16 dev wan0\n",
                             c) +
                     neighbours(clusters, c, 254),
                 &router);
}

Status set_habits(const Network& made) {
    const auto set = [](const Node& node, bool forwards) {
        return inside_network(node.network.get(), [&] { return set_network_habits(forwards); });
    };
    for (const auto& host : made.hosts)
        if (auto done = set(host, false); !done)
            return done;
    for (const auto& router : made.routers)
        if (auto done = set(router, true); !done)
            return done;
    if (auto done = set(made.wires, false); !done)
        return done;
    return set_network_habits(false);
}

Result<Network> make_nodes(const LabOptions& options) {
    auto wires = make_network_node("wires");
    if (!wires)
        return wires.error();
    Network made;
    made.wires = std::move(*wires);
    for (int rank = 0; rank < options.clusters.ranks(); ++rank) {
        auto host = make_host(host_name(options.clusters, rank));
        if (!host)
            return host.error();
        made.hosts.push_back(std::move(*host));
    }
    for (int c = 0; options.clusters.count() > 1 && c < options.clusters.count(); ++c) {
        auto router = make_network_node("router-" + cluster_name(c));
        if (!router)
            return router.error();
        auto tun = open_tun(router->network.get());
        if (!tun)
            return tun.error();
        made.routers.push_back(std::move(*router));
        made.tuns.push_back(std::move(*tun));
    }
    return made;
}

} // namespace

Result<Network> make_network(const LabOptions& options) {
    auto made = make_nodes(options);
    if (!made)
        return made;
    if (auto done = set_habits(*made); !done)
        return done.error();
    if (auto done = lay_cables(options, *made); !done)
        return done.error();
    const auto& clusters = options.clusters;
    for (int rank = 0; rank < clusters.ranks(); ++rank)
        if (auto done = configure_host(options, made->hosts[static_cast<std::size_t>(rank)], rank);
            !done)
            return done.error();
    for (std::size_t c = 0; c < made->routers.size(); ++c)
        if (auto done = configure_router(clusters, made->routers[c], static_cast<int>(c)); !done)
            return done.error();
    const std::string head = "link set lo up\n"
                             "addr add 198.19.255.254/16 dev ctl0\n"
                             "link set ctl0 up\n";
    if (auto done = batch("ip", head, nullptr); !done)
        return done.error();
    return made;
}

} // namespace alltold::lab

// SPDX-License-Identifier: BSD-3-Clause
#include "lab/network.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace alltold::lab {

namespace {

/// A token bucket must hold what leaves while its timer is late. The switch, which has the same
/// rate, keeps back what leaves early.
std::uint64_t burst_bytes(double bit_per_s) {
    constexpr double lateness_s = 1e-3;
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

/// A link: `device` of the process `pid`, and `port` in the wires' namespace.
std::string link(const std::string& port, const std::string& device, pid_t pid,
                 const std::string& device_options = "") {
    return fmt::format("link add {0} type veth peer name {1} {3} netns {2}\n"
                       "link set {0} up\n",
                       port, device, pid, device_options);
}

std::string control_link(const std::string& name, pid_t pid) {
    return link("c-" + name, "ctl0", pid) + fmt::format("link set c-{} master control\n", name);
}

Status lay_links(const LabOptions& options, const Network& made) {
    const auto clusters = options.clusters.leaders();
    std::string lines =
        "link add control type bridge forward_delay 0 stp_state 0 mcast_snooping 0\n"
        "link set control up\n" +
        control_link("head", getpid());
    for (int host = 0; host < clusters.hosts(); ++host) {
        const auto& node = made.hosts[static_cast<std::size_t>(host)];
        const int c = clusters.cluster_of(host);
        lines += link("p-" + node.name, "eth0", node.pid,
                      "address " + hardware_address(c, host - clusters.first(c) + 1));
        lines += control_link(node.name, node.pid);
    }
    return batch("ip", lines, &made.wires);
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
        add(gateway_host);
    return lines;
}

Status configure_host(const LabOptions& options, const Node& node, int host) {
    const auto clusters = options.clusters.leaders();
    const int c = clusters.cluster_of(host);
    const auto own = data_address(clusters, host);
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
                                    own, control_address(clusters, host), c, options.tcp);
    if (clusters.count() > 1)
        lines += fmt::format("route add 198.18.0.0/16 via 198.18.{}.{} src {} congctl {}\n", c,
                             gateway_host, own, options.tcp);
    lines += neighbours(clusters, c, host - clusters.first(c) + 1);
    ALLTOLD_TRY_DONE(batch("ip", lines, &node));
    // The host's own queue is long: a full NIC holds TCP back without loss.
    constexpr std::uint64_t host_queue_bytes = 16 << 20;
    return batch("tc", shape("eth0", options.nic_of(c), host_queue_bytes), &node);
}

Status set_habits(const Network& made) {
    const auto set = [](const Node& node) {
        return inside_network(node.network.get(), [] { return set_network_habits(); });
    };
    for (const auto& host : made.hosts)
        ALLTOLD_TRY_DONE(set(host));
    ALLTOLD_TRY_DONE(set(made.wires));
    return set_network_habits();
}

Status open_ports(Network& made) {
    std::vector<std::string> devices;
    for (const auto& host : made.hosts)
        devices.push_back("p-" + host.name);
    ALLTOLD_TRY_INTO(made.ports, PacketSocket::open(made.wires.network.get(), devices));
    return Done{};
}

Result<Network> make_nodes(const LabOptions& options) {
    ALLTOLD_TRY(wires, make_network_node("wires"));
    Network made;
    made.wires = std::move(*wires);
    for (int host = 0; host < options.clusters.hosts(); ++host) {
        ALLTOLD_TRY(node, make_host(host_name(options.clusters, host)));
        made.hosts.push_back(std::move(*node));
    }
    return made;
}

} // namespace

Result<Network> make_network(const LabOptions& options) {
    ALLTOLD_TRY(made, make_nodes(options));
    ALLTOLD_TRY_DONE(set_habits(*made));
    ALLTOLD_TRY_DONE(lay_links(options, *made));
    for (int host = 0; host < options.clusters.hosts(); ++host)
        ALLTOLD_TRY_DONE(
            configure_host(options, made->hosts[static_cast<std::size_t>(host)], host));
    const std::string head = "link set lo up\n"
                             "addr add 198.19.255.254/16 dev ctl0\n"
                             "link set ctl0 up\n";
    ALLTOLD_TRY_DONE(batch("ip", head, nullptr));
    ALLTOLD_TRY_DONE(open_ports(*made));
    return made;
}

} // namespace alltold::lab

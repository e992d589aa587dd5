// SPDX-License-Identifier: BSD-3-Clause
#include "store/export/export.hpp"

#include <iterator>

#include <fmt/format.h>

namespace alltold {
namespace {

std::string field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace

std::string samples_csv(std::span<const PointSamples> points) {
    std::string text(csv_header);
    text += '\n';
    for (const auto& [point, samples, unit] : points) {
        const auto of_point =
            fmt::format("{},{},{},{},{},{},{}", field(point.probe), field(point.algorithm),
                        point.clusters.text(), point.size_bytes, point.first_rank,
                        point.second_rank, point.count);
        for (const auto& sample : samples)
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", of_point,
                           sample.repetition, sample.warmup ? 1 : 0, sample.value,
                           sample.taken_unix_s,
                           sample.retransmitted ? fmt::to_string(*sample.retransmitted) : "",
                           sample.summary ? fmt::format("{},{}", sample.summary->calls,
                                                        sample.summary->mean_of_ranks ? 1 : 0)
                                          : ",");
    }
    return text;
}

namespace {

std::string line_of(const Operation& operation) {
    if (!operation.is_message())
        return "calc 0";
    const bool in = operation.is_incoming();
    return fmt::format("{} {}b {} {} tag {}", in ? "recv" : "send",
                       std::max<std::uint64_t>(operation.region.size_bytes, 1), in ? "from" : "to",
                       operation.peer, operation.tag);
}

} // namespace

std::string goal_text(std::span<const Schedule> schedules) {
    auto text = fmt::format("{} {}\n", goal_mark, schedules.size());
    auto out = std::back_inserter(text);
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
        const auto& schedule = schedules[rank];
        fmt::format_to(out, "\nrank {} {{\n", rank);
        for (int i = 0; i < schedule.size(); ++i) {
            fmt::format_to(out, "l{}: {}\n", i, line_of(schedule[i]));
            for (const auto before : schedule.after(i))
                fmt::format_to(out, "l{} requires l{}\n", i, before);
        }
        text += "}\n";
    }
    return text;
}

namespace {

/// One way, host to host, of a message of so many bytes: with what a switch must have of its last
/// packet before it forwards it.
double latency_s(const LinkNetwork& links, const Link& port, double size_bytes) {
    const double packet_s =
        std::min(size_bytes, links.full_segment_bytes()) / port.goodput_bytes_per_s;
    return port.latency_s + links.store_and_forward * packet_s;
}

/// smpi/lat-factor: messages shorter than a packet wait less at a switch. A bound's factor holds
/// for what is longer.
std::string latency_factors(const LinkNetwork& links) {
    std::string text;
    for (const int bound : {0, 64, 128, 256, 512, 1024}) {
        // A message in the middle of the step.
        const double factor = latency_s(links, links.port, 1.4 * std::max(bound, 16)) /
                              latency_s(links, links.port, links.full_segment_bytes());
        text += fmt::format("{}{}:{:.4f}", text.empty() ? "" : ";", bound, factor);
    }
    return text;
}

std::string link_text(const std::string& id, double goodput_bytes_per_s, double one_way_s) {
    return fmt::format("<link id=\"{}\" bandwidth=\"{:.0f}Bps\" latency=\"{:.9f}s\" "
                       "sharing_policy=\"SPLITDUPLEX\"/>\n",
                       id, goodput_bytes_per_s, one_way_s);
}

std::string options_text(const Network& network) {
    // Without factors: rates are of payload already. Cross traffic would charge for TCP's
    // acknowledgements a second time, and a window is no limit here.
    std::vector<std::pair<std::string, std::string>> options{
        {"smpi/bw-factor", "0:1"},
        {"smpi/lat-factor", latency_factors(*network.links)},
        {"network/crosstraffic", "0"},
        {"network/TCP-gamma", "1e12"},
        {"smpi/simulate-computation", "0"}};
    if (const double start_up_s = network.links->start_up_s; start_up_s > 0)
        for (const char* side : {"smpi/os", "smpi/ois", "smpi/or"})
            options.emplace_back(side, fmt::format("0:{:.9f}:0", start_up_s));
    if (network.eager_limit_bytes)
        for (const char* threshold : {"smpi/async-small-thresh", "smpi/send-is-detached-thresh"})
            options.emplace_back(threshold,
                                 fmt::format("{:.0f}", network.eager_limit_bytes->value));
    std::string text = "<config>\n";
    for (const auto& [name, value] : options)
        text += fmt::format("<prop id=\"{}\" value=\"{}\"/>\n", name, value);
    return text + "</config>\n";
}

std::string host_name(int host) {
    return fmt::format("host-{}", host);
}

/// A switch with its hosts, of which `clusters` has one rank each.
std::string cluster_text(const LinkNetwork& links, const Clusters& clusters, int cluster) {
    const auto name = fmt::format("cluster-{}", cluster);
    auto text = fmt::format("<zone id=\"{}\" routing=\"Floyd\">\n<router id=\"switch-{}\"/>\n",
                            name, cluster);
    for (int i = 0; i < clusters.size(cluster); ++i) {
        const int rank = clusters.first(cluster) + i;
        text += fmt::format("<host id=\"{}\" speed=\"1Gf\"/>\n", host_name(rank));
        const Link& port = links.port_of(cluster);
        text += link_text(fmt::format("port-{}", rank), port.goodput_bytes_per_s,
                          latency_s(links, port, links.full_segment_bytes()) / 2);
    }
    for (int i = 0; i < clusters.size(cluster); ++i) {
        const int rank = clusters.first(cluster) + i;
        text += fmt::format("<route src=\"{0}\" dst=\"switch-{1}\" symmetrical=\"NO\"><link_ctn "
                            "id=\"port-{2}\" direction=\"UP\"/></route>\n"
                            "<route src=\"switch-{1}\" dst=\"{0}\" symmetrical=\"NO\"><link_ctn "
                            "id=\"port-{2}\" direction=\"DOWN\"/></route>\n",
                            host_name(rank), cluster, rank);
    }
    return text + "</zone>\n";
}

/// Every cluster has a link to the backbone; a route crosses two. A pair of clusters with a link of
/// its own has that one instead.
std::string backbone_text(const LinkNetwork& links, const Clusters& clusters) {
    std::string text;
    const int count = clusters.count();
    for (int c = 0; c < count; ++c) {
        const Link& uplink = links.uplink(c, count);
        text += link_text(fmt::format("backbone-{}", c), uplink.goodput_bytes_per_s,
                          uplink.latency_s / 2);
    }
    for (int from = 0; from < count; ++from)
        for (int to = 0; to < count; ++to) {
            if (from == to)
                continue;
            auto on_the_way = fmt::format("<link_ctn id=\"backbone-{}\" direction=\"UP\"/>"
                                          "<link_ctn id=\"backbone-{}\" direction=\"DOWN\"/>",
                                          from, to);
            if (links.has_own_link(from, to, count)) {
                const auto id =
                    fmt::format("backbone-{}-{}", std::min(from, to), std::max(from, to));
                const Link& path = links.path(from, to);
                if (from < to)
                    text += link_text(id, path.goodput_bytes_per_s, path.latency_s);
                on_the_way = fmt::format("<link_ctn id=\"{}\" direction=\"{}\"/>", id,
                                         from < to ? "UP" : "DOWN");
            }
            text += fmt::format("<zoneRoute src=\"cluster-{0}\" dst=\"cluster-{1}\" "
                                "gw_src=\"switch-{0}\" gw_dst=\"switch-{1}\" "
                                "symmetrical=\"NO\">{2}</zoneRoute>\n",
                                from, to, on_the_way);
        }
    return text;
}

} // namespace

Result<std::string> simgrid_platform(const Network& network, const Clusters& clusters) {
    if (!network.links)
        return refused("the profile has no links; measure them ('alltold measure') and fit again");
    const auto links = network.links->on(clusters);
    if (clusters.count() > 1 && !links.backbone)
        return refused(
            fmt::format("the profile has no backbone to join clusters {}", clusters.text()));
    auto text = fmt::format("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM "
                            "\"https://simgrid.org/{}\">\n<platform version=\"4.1\">\n{}"
                            "<zone id=\"network\" routing=\"Full\">\n",
                            simgrid_mark, options_text(network));
    for (int c = 0; c < clusters.count(); ++c)
        text += cluster_text(links, clusters.leaders(), c);
    if (clusters.count() > 1)
        text += backbone_text(links, clusters);
    return text + "</zone>\n</platform>\n";
}

std::string simgrid_hosts(const Clusters& clusters) {
    std::string text;
    for (int rank = 0; rank < clusters.ranks(); ++rank)
        text += host_name(clusters.host_of(rank)) + "\n";
    return text;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/links_truth.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "core/units.hpp"
#include "report/text_table.hpp"

namespace alltold::campaign {
namespace {

std::string rate_text(double bytes_per_s) {
    return format_rate(8 * bytes_per_s);
}

/// The rate of a cluster's ports, from the links, else from ping-pongs; 0 where it is not known, or
/// only the least.
double found_rate(const Network& network, int cluster) {
    if (network.links) {
        const Link& port = network.links->port_of(cluster);
        return port.at_least ? 0 : port.goodput_bytes_per_s;
    }
    return network.local ? 1 / network.local->beta_s_per_byte.value : 0;
}

/// A path's delay, from the same sources.
double found_delay_s(const Network& network, const Link& path) {
    if (network.links && network.links->backbone)
        return path.latency_s;
    return network.local && network.inter_cluster
               ? network.inter_cluster->latency_s.value - network.local->latency_s.value
               : 0;
}

Recovery recovery(std::string what, double built, double found, double allowed,
                  std::string (*text)(double)) {
    return {std::move(what), built,       found,
            allowed,         text(built), found > 0 ? text(found) : "not found"};
}

/// `where`: "" or " of clusters 0 and 1".
void add_path(std::vector<Recovery>& all, const Link& built, const Network& network,
              const Link& found, const std::string& where) {
    all.push_back(recovery("backbone rate" + where, built.goodput_bytes_per_s,
                           found.at_least ? 0 : found.goodput_bytes_per_s, 0.05, rate_text));
    if (built.latency_s > 0)
        all.push_back(recovery("backbone delay" + where, built.latency_s,
                               found_delay_s(network, found), 0.05, format_time));
    all.push_back(recovery("backbone queue" + where, built.queue_bytes, found.queue_bytes, 0.25,
                           format_size));
}

Link link_of(JsonCursor& wan) {
    return {wan.member("goodput_byte_per_s").number({"bytes per second", 0, true}),
            wan.member("one_way_delay_s").number({"seconds", 0}),
            wan.member("queue_bytes").number({"bytes", 0})};
}

/// The paths of all pairs of clusters, in the order of LinkNetwork::path_index.
std::vector<Link> paths_of(JsonCursor own, const Link& star, int clusters) {
    const auto pairs = static_cast<std::size_t>(clusters * (clusters - 1) / 2);
    std::vector<Link> paths(pairs, star);
    for (auto& item : own.items()) {
        std::vector<int> pair;
        auto named = item.member("clusters");
        for (auto& one : named.items())
            pair.push_back(one.whole_number(0));
        if (pair.size() != 2 || pair[0] == pair[1] ||
            LinkNetwork::path_index(pair[0], pair[1]) >= pairs)
            named.complain("no pair of the lab's clusters");
        else
            paths[LinkNetwork::path_index(pair[0], pair[1])] = link_of(item);
    }
    return paths;
}

} // namespace

Result<LinkNetwork> built_links(const std::string& truth_file) {
    ALLTOLD_TRY(text, read_text_file(truth_file, "what 'alltold lab --truth' wrote"));
    auto truth = JsonCursor::parse(*text, truth_file);
    const auto rate = [](JsonCursor nic) {
        return nic.member("goodput_byte_per_s").number({"bytes per second", 0, true});
    };
    LinkNetwork links;
    links.port.queue_bytes =
        truth.member("switch").member("port_buffer_bytes").number({"bytes", 0});
    auto nic = truth.member("nic");
    links.port.goodput_bytes_per_s = rate(nic);
    Clusters all{{1}};
    const auto read_clusters = [&] {
        truth.member("clusters").take(Clusters::parse(truth.member("clusters").text()), all);
        links.of_clusters = all;
    };
    if (auto own = nic.optional_member("of_clusters")) {
        read_clusters();
        for (auto& item : own->items()) {
            links.ports.push_back(links.port);
            links.ports.back().goodput_bytes_per_s = rate(item);
        }
    }
    if (auto wan = truth.optional_member("wan")) {
        links.backbone = link_of(*wan);
        if (auto own = wan->optional_member("of_pairs")) {
            read_clusters();
            links.paths = paths_of(std::move(*own), *links.backbone, all.count());
        }
    }
    if (truth.error())
        return *truth.error();
    return links;
}

Result<std::vector<Recovery>> recovered_links(const std::string& truth_file,
                                              const Profile& profile) {
    ALLTOLD_TRY(built, built_links(truth_file));
    const auto& network = profile.network;
    const LinkNetwork found = network.links.value_or(LinkNetwork{});
    std::vector<Recovery> all;
    if (built->ports.empty())
        all.push_back(recovery("NIC rate", built->port.goodput_bytes_per_s, found_rate(network, -1),
                               0.03, rate_text));
    for (int cluster = 0; cluster < std::ssize(built->ports); ++cluster)
        all.push_back(recovery(fmt::format("NIC rate of cluster {}", cluster),
                               built->port_of(cluster).goodput_bytes_per_s,
                               found_rate(network, cluster), 0.03, rate_text));
    all.push_back(recovery("switch buffer", built->port.queue_bytes, found.port.queue_bytes, 0.25,
                           format_size));
    if (!built->backbone)
        return all;
    // The star, where some pair goes by it: as the fastest of the paths.
    const auto own = [&](const Link& path) { return path != *built->backbone; };
    if (built->paths.empty() || !std::ranges::all_of(built->paths, own)) {
        const auto star = std::ranges::max_element(found.paths, {}, &Link::goodput_bytes_per_s);
        add_path(all, *built->backbone, network,
                 star != found.paths.end() ? *star : found.backbone.value_or(Link{}), "");
    }
    for (int b = 1; b < built->clusters_with_paths(); ++b)
        for (int a = 0; a < b; ++a)
            if (own(built->path(a, b)))
                add_path(all, built->path(a, b), network,
                         found.backbone ? found.path(a, b) : Link{},
                         fmt::format(" of clusters {} and {}", a, b));
    return all;
}

std::string truth_text(const std::vector<Recovery>& all) {
    TextTable table;
    table.column("lab", TextTable::Align::left);
    table.columns({"built with", "found", "error"});
    for (const auto& one : all)
        table.row({one.what, one.built_text, one.found_text,
                   one.found > 0 ? format_signed_percent(one.error()) : "-"});
    return table.text();
}

} // namespace alltold::campaign

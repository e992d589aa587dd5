// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/links_truth.hpp"

#include <fmt/format.h>

#include "core/text_file.hpp"
#include "core/units.hpp"
#include "report/text_table.hpp"

namespace alltold::campaign {
namespace {

std::string rate_text(double bytes_per_s) {
    return format_rate(8 * bytes_per_s);
}

/// Of a cluster's ports, from the links, else from ping-pongs; 0 where it is not known, or only the
/// least.
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
void add_path(std::vector<Recovery>& all, JsonCursor built, const Network& network,
              const Link& found, const std::string& where) {
    const NumberRange above_zero{"", 0, true};
    all.push_back(recovery("backbone rate" + where,
                           built.member("goodput_byte_per_s").number(above_zero),
                           found.at_least ? 0 : found.goodput_bytes_per_s, 0.05, rate_text));
    all.push_back(recovery("backbone delay" + where,
                           built.member("one_way_delay_s").number(above_zero),
                           found_delay_s(network, found), 0.05, format_time));
    all.push_back(recovery("backbone queue" + where, built.member("queue_bytes").number(above_zero),
                           found.queue_bytes, 0.25, format_size));
}

} // namespace

Result<std::vector<Recovery>> recovered_links(const std::string& truth_file,
                                              const Profile& profile) {
    ALLTOLD_TRY(file, read_text_file(truth_file, "what 'alltold lab --truth' wrote"));
    auto truth = JsonCursor::parse(*file, truth_file);
    const NumberRange above_zero{"", 0, true};
    const auto& network = profile.network;
    const LinkNetwork found = network.links.value_or(LinkNetwork{});
    std::vector<Recovery> all;
    const auto add_rate = [&](JsonCursor nic, int cluster, const std::string& where) {
        all.push_back(recovery("NIC rate" + where,
                               nic.member("goodput_byte_per_s").number(above_zero),
                               found_rate(network, cluster), 0.03, rate_text));
    };
    auto nic = truth.member("nic");
    if (auto each = nic.optional_member("of_clusters")) {
        int cluster = 0;
        for (auto& one : each->items()) {
            add_rate(one, cluster, fmt::format(" of cluster {}", cluster));
            ++cluster;
        }
    } else {
        add_rate(nic, -1, ""); // of all
    }
    all.push_back(recovery("switch buffer",
                           truth.member("switch").member("port_buffer_bytes").number(above_zero),
                           found.port.queue_bytes, 0.25, format_size));
    if (auto wan = truth.optional_member("wan")) {
        auto own = wan->optional_member("of_pairs");
        // The star, where some pair goes by it: as the fastest of the paths.
        const auto star = std::ranges::max_element(found.paths, {}, &Link::goodput_bytes_per_s);
        const int clusters = profile.provenance.clusters.count();
        if (!own || std::ssize(own->items()) < clusters * (clusters - 1) / 2)
            add_path(all, *wan, network,
                     star != found.paths.end() ? *star : found.backbone.value_or(Link{}), "");
        if (own)
            for (auto& one : own->items()) {
                auto pair = one.member("clusters").items();
                if (pair.size() != 2)
                    continue;
                const int a = pair[0].whole_number(0), b = pair[1].whole_number(0);
                add_path(all, one, network, found.backbone ? found.path(a, b) : Link{},
                         fmt::format(" of clusters {} and {}", a, b));
            }
    }
    if (truth.error())
        return *truth.error();
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

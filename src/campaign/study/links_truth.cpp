// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/study/links_truth.hpp"

#include "core/text_file.hpp"
#include "core/units.hpp"
#include "report/text_table.hpp"

namespace alltold::campaign {
namespace {

std::string rate_text(double bytes_per_s) {
    return format_rate(8 * bytes_per_s);
}

/// From the links, else from ping-pongs; 0 where it is not known, or only the least.
double found_rate(const Network& network) {
    if (network.links)
        return network.links->port.at_least ? 0 : network.links->port.goodput_bytes_per_s;
    return network.local ? 1 / network.local->beta_s_per_byte.value : 0;
}

/// The backbone's delay, from the same sources.
double found_delay_s(const Network& network) {
    if (network.links && network.links->backbone)
        return network.links->backbone->latency_s;
    return network.local && network.inter_cluster
               ? network.inter_cluster->latency_s.value - network.local->latency_s.value
               : 0;
}

Recovery recovery(const char* what, double built, double found, double allowed,
                  std::string (*text)(double)) {
    return {what, built, found, allowed, text(built), found > 0 ? text(found) : "not found"};
}

} // namespace

Result<LinkNetwork> built_links(const std::string& truth_file) {
    ALLTOLD_TRY(file, read_text_file(truth_file, "what 'alltold lab --truth' wrote"));
    auto truth = JsonCursor::parse(*file, truth_file);
    const auto number = [](JsonCursor in, const char* name, bool above_zero = true) {
        return in.member(name).number({"", 0, above_zero});
    };
    LinkNetwork links;
    links.port.goodput_bytes_per_s = number(truth.member("nic"), "goodput_byte_per_s");
    links.port.queue_bytes = number(truth.member("switch"), "port_buffer_bytes");
    if (auto wan = truth.optional_member("wan"))
        links.backbone = Link{number(*wan, "goodput_byte_per_s"),
                              number(*wan, "one_way_delay_s", false), number(*wan, "queue_bytes")};
    if (truth.error())
        return *truth.error();
    return links;
}

Result<std::vector<Recovery>> recovered_links(const std::string& truth_file,
                                              const Profile& profile) {
    ALLTOLD_TRY(built, built_links(truth_file));
    const LinkNetwork found = profile.network.links.value_or(LinkNetwork{});
    std::vector<Recovery> all{recovery("NIC rate", built->port.goodput_bytes_per_s,
                                       found_rate(profile.network), 0.03, rate_text),
                              recovery("switch buffer", built->port.queue_bytes,
                                       found.port.queue_bytes, 0.25, format_size)};
    if (const auto& wan = built->backbone) {
        const Link backbone = found.backbone.value_or(Link{});
        all.push_back(recovery("backbone rate", wan->goodput_bytes_per_s,
                               backbone.at_least ? 0 : backbone.goodput_bytes_per_s, 0.05,
                               rate_text));
        if (wan->latency_s > 0)
            all.push_back(recovery("backbone delay", wan->latency_s, found_delay_s(profile.network),
                                   0.05, format_time));
        all.push_back(
            recovery("backbone queue", wan->queue_bytes, backbone.queue_bytes, 0.25, format_size));
    }
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

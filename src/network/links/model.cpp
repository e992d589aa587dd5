// SPDX-License-Identifier: BSD-3-Clause
// Ports, their queues and the backbone.
#include <fmt/format.h>

#include "network/json/fields.hpp"
#include "network/links/fit_links.hpp"

namespace alltold {

constexpr NumberRange in_bytes_per_second{"bytes per second", 0, true};

static void members(JsonMembers& json, Link& link) {
    json("goodput_bytes_per_s", link.goodput_bytes_per_s, in_bytes_per_second);
    json("latency_s", link.latency_s, in_seconds);
    json("queue_bytes", link.queue_bytes, in_bytes);
    json.unless(0., "burst_bytes", link.burst_bytes, in_bytes);
    json.unless(0., "goodput_error", link.goodput_error, from_zero);
    json.unless(0., "latency_error", link.latency_error, from_zero);
    json.unless(0., "queue_error", link.queue_error, from_zero);
    json.unless(true, "latency_known", link.latency_known);
    json.unless(false, "at_least", link.at_least);
}

static void members(JsonMembers& json, LinkNetwork::Memory& memory) {
    json("latency_s", memory.latency_s, in_seconds);
    json("copy_bytes_per_s", memory.copy_bytes_per_s, in_bytes_per_second);
    json("shared_bytes_per_s", memory.shared_bytes_per_s, in_bytes_per_second);
    json.unless(0., "latency_error", memory.latency_error, from_zero);
    json.unless(0., "rate_error", memory.rate_error, from_zero);
    json.unless(false, "assumed", memory.assumed);
}

static void members(JsonMembers& json, CarriedFlows& carried) {
    json("flows", carried.flows, 1);
    json("goodput_bytes_per_s", carried.goodput_bytes_per_s, in_bytes_per_second);
}

static void members(JsonMembers& json, LinkNetwork& links) {
    json("port", links.port);
    json("backbone", links.backbone);
    json.unless({}, "carried", links.carried);
    json("start_up_s", links.start_up_s, in_seconds);
    json.unless(0., "store_and_forward", links.store_and_forward, from_zero);
    json("timeout_s", links.timeout_s, in_seconds);
    json.unless(0., "initial_window_bytes", links.initial_window_bytes, in_bytes);
    json.younger("rate_error", links.rate_error, from_zero);
    json.younger("latency_error", links.latency_error, from_zero);
    json.unless(0., "connection_bytes_per_s", links.connection_bytes_per_s, in_bytes_per_second);
    json("memory", links.memory);
    json.unless(0., "mss_bytes", links.mss_bytes, NumberRange{"bytes", 1});
    json.part(
        "clusters",
        [&] {
            return links.of_clusters ? nlohmann::ordered_json(links.of_clusters->text())
                                     : nlohmann::ordered_json();
        },
        [&](JsonCursor at) {
            Clusters clusters{{1}};
            at.take(Clusters::parse(at.text()), clusters);
            links.of_clusters = std::move(clusters);
        },
        true);
    json.unless({}, "ports_of_clusters", links.ports);
    json.unless({}, "backbone_of_pairs", links.paths);
}

namespace {

LinkNetwork scaled(LinkNetwork links, double rate, double latency) {
    links.change_links([&](Link& link) {
        link.goodput_bytes_per_s *= rate;
        link.latency_s *= latency;
    });
    links.connection_bytes_per_s *= rate;
    links.start_up_s *= latency;
    return links;
}

/// At the quick end of the memory's own intervals, or at the slow one.
std::optional<LinkNetwork::Memory> memory_at_end(const LinkNetwork& links, bool quick) {
    auto memory = links.memory;
    if (!memory)
        return memory;
    const double rate = 1 + memory->rate_error, latency = 1 + memory->latency_error;
    memory->latency_s *= quick ? 1 / latency : latency;
    memory->copy_bytes_per_s *= quick ? rate : 1 / rate;
    memory->shared_bytes_per_s *= quick ? rate : 1 / rate;
    return memory;
}

/// Connections that were just used are past their slow start, others are not: the value is of the
/// former, the interval covers both.
std::vector<Simulated> with_ends(const Network& network, bool past_slow_start) {
    auto links = *network.links;
    links.past_slow_start = true;
    const double rate = 1 + links.rate_error, latency = 1 + links.latency_error;
    const bool memory_exact =
        !links.memory || (links.memory->rate_error <= 0 && links.memory->latency_error <= 0);
    if (rate == 1 && latency == 1 && links.initial_window_bytes <= 0 && memory_exact)
        return {links};
    auto quick = scaled(links, rate, 1 / latency), slow = scaled(links, 1 / rate, latency);
    slow.past_slow_start = past_slow_start;
    quick.memory = memory_at_end(links, true);
    slow.memory = memory_at_end(links, false);
    return {links, quick, slow};
}

} // namespace

namespace models {
extern const CostModel links{
    .name = "links",
    .source = "docs/measuring.md",
    .help = "algorithms on one cluster or several, simulated on ports, their queues and a backbone",
    .fitted_after = {"hockney", "plogp"},
    .fit = fit_links,
    .fields = {parameter_field<&Network::links>("links")},
    .lacks = [](const Network& network) -> std::string {
        return network.links ? "" : "link rates and queues";
    },
    .unfit = [](const Network& network, const Clusters& clusters, std::string_view) -> std::string {
        if (!clusters.one_rank_per_host() && !network.links->memory)
            return std::string(memory_unknown);
        return clusters.count() == 1 || network.links->backbone
                   ? ""
                   : fmt::format("its links have no backbone, which {} needs", clusters.text());
    },
    .queue_bytes = [](const Network& network) { return network.links->port.queue_bytes; },
    .simulated = with_ends,
    .knows_hosts = true,
};
} // namespace models

} // namespace alltold

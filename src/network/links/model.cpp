// SPDX-License-Identifier: BSD-3-Clause
// Ports, their queues and the backbone.
#include <utility>

#include <fmt/format.h>

#include "network/cost_model.hpp"
#include "network/json/fields.hpp"
#include "network/links/fit_links.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

constexpr NumberRange in_bytes_per_second{"bytes per second", 0, true};
constexpr NumberRange above_no_bytes{"bytes", 0, true};

constexpr std::pair<const char*, double Link::*> errors_of[]{
    {"goodput_error", &Link::goodput_error},
    {"latency_error", &Link::latency_error},
    {"queue_error", &Link::queue_error}};

ordered_json link_to_json(const Link& link) {
    ordered_json json{{"goodput_bytes_per_s", link.goodput_bytes_per_s},
                      {"latency_s", link.latency_s},
                      {"queue_bytes", link.queue_bytes}};
    if (link.burst_bytes > 0)
        json["burst_bytes"] = link.burst_bytes;
    for (const auto& [name, error] : errors_of)
        if (link.*error > 0)
            json[name] = link.*error;
    if (!link.latency_known)
        json["latency_known"] = false;
    if (link.at_least)
        json["at_least"] = true;
    return json;
}

Link read_link(JsonCursor at) {
    Link link{at.member("goodput_bytes_per_s").number(in_bytes_per_second),
              at.member("latency_s").number(in_seconds), at.member("queue_bytes").number(in_bytes)};
    if (auto burst = at.optional_member("burst_bytes"))
        link.burst_bytes = burst->number(in_bytes);
    for (const auto& [name, error] : errors_of)
        if (auto width = at.optional_member(name))
            link.*error = width->number(from_zero);
    if (auto known = at.optional_member("latency_known"))
        link.latency_known = known->boolean();
    if (auto least = at.optional_member("at_least"))
        link.at_least = least->boolean();
    at.only({"goodput_bytes_per_s", "latency_s", "queue_bytes", "burst_bytes", "goodput_error",
             "latency_error", "queue_error", "latency_known", "at_least"});
    return link;
}

ordered_json memory_to_json(const LinkNetwork::Memory& memory) {
    ordered_json json{{"latency_s", memory.latency_s},
                      {"copy_bytes_per_s", memory.copy_bytes_per_s},
                      {"shared_bytes_per_s", memory.shared_bytes_per_s}};
    if (memory.latency_error > 0)
        json["latency_error"] = memory.latency_error;
    if (memory.rate_error > 0)
        json["rate_error"] = memory.rate_error;
    return json;
}

LinkNetwork::Memory read_memory(JsonCursor at) {
    LinkNetwork::Memory memory{at.member("latency_s").number(in_seconds),
                               at.member("copy_bytes_per_s").number(in_bytes_per_second),
                               at.member("shared_bytes_per_s").number(in_bytes_per_second)};
    if (auto error = at.optional_member("latency_error"))
        memory.latency_error = error->number(from_zero);
    if (auto error = at.optional_member("rate_error"))
        memory.rate_error = error->number(from_zero);
    at.only({"latency_s", "copy_bytes_per_s", "shared_bytes_per_s", "latency_error", "rate_error"});
    return memory;
}

ordered_json to_json(const LinkNetwork& links) {
    ordered_json json{{"port", link_to_json(links.port)}};
    if (links.backbone)
        json["backbone"] = link_to_json(*links.backbone);
    for (const auto& [flows, goodput] : links.carried)
        json["carried"].push_back({{"flows", flows}, {"goodput_bytes_per_s", goodput}});
    json["start_up_s"] = links.start_up_s;
    if (links.store_and_forward > 0)
        json["store_and_forward"] = links.store_and_forward;
    json["timeout_s"] = links.timeout_s;
    if (links.initial_window_bytes > 0)
        json["initial_window_bytes"] = links.initial_window_bytes;
    if (links.window_bytes > 0)
        json["window_bytes"] = links.window_bytes;
    json["rate_error"] = links.rate_error;
    json["latency_error"] = links.latency_error;
    if (links.memory)
        json["memory"] = memory_to_json(*links.memory);
    if (links.mss_bytes > 0)
        json["mss_bytes"] = links.mss_bytes;
    return json;
}

LinkNetwork read_links(JsonCursor at) {
    LinkNetwork links;
    links.port = read_link(at.member("port"));
    if (const auto backbone = at.optional_member("backbone"))
        links.backbone = read_link(*backbone);
    if (auto carried = at.optional_member("carried"))
        for (auto entry : carried->items()) {
            links.carried.push_back(
                {entry.member("flows").whole_number(1),
                 entry.member("goodput_bytes_per_s").number(in_bytes_per_second)});
            entry.only({"flows", "goodput_bytes_per_s"});
        }
    links.start_up_s = at.member("start_up_s").number(in_seconds);
    if (auto share = at.optional_member("store_and_forward"))
        links.store_and_forward = share->number(from_zero);
    links.timeout_s = at.member("timeout_s").number(in_seconds);
    if (auto window = at.optional_member("initial_window_bytes"))
        links.initial_window_bytes = window->number(in_bytes);
    if (auto window = at.optional_member("window_bytes"))
        links.window_bytes = window->number(in_bytes);
    if (auto error = at.optional_member("rate_error"))
        links.rate_error = error->number(from_zero);
    if (auto error = at.optional_member("latency_error"))
        links.latency_error = error->number(from_zero);
    if (const auto memory = at.optional_member("memory"))
        links.memory = read_memory(*memory);
    if (auto mss = at.optional_member("mss_bytes"))
        links.mss_bytes = mss->number({"bytes", 1});
    at.only({"port", "backbone", "carried", "start_up_s", "store_and_forward", "timeout_s",
             "initial_window_bytes", "window_bytes", "rate_error", "latency_error", "memory",
             "mss_bytes"});
    return links;
}

LinkNetwork scaled(LinkNetwork links, double rate, double latency) {
    for (auto* link : {&links.port, links.backbone ? &*links.backbone : nullptr})
        if (link) {
            link->goodput_bytes_per_s *= rate;
            link->latency_s *= latency;
        }
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
    quick.window_bytes = 0;
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
    .fields = {{"links",
                [](const Network& network) { return json_or_null(network.links, to_json); },
                [](Network& network, JsonCursor at) { network.links = read_links(at); }}},
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

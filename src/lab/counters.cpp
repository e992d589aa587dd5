// SPDX-License-Identifier: BSD-3-Clause
// Packets, bytes and drops of each queue of the running lab.
#include "lab/counters.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include "lab/process.hpp"
#include "lab/state.hpp"

namespace alltold::lab {

namespace {

using nlohmann::json;

Result<json> ports() {
    const auto pid = read_text(state_dir + "/nodes/.wires");
    if (!pid)
        return environment("not inside a lab; run this command in one");
    const Fd wires(
        open(fmt::format("/proc/{}/ns/net", std::stoi(*pid)).c_str(), O_RDONLY | O_CLOEXEC));
    if (!wires.open())
        return system_error("the lab's switch");
    const auto text = run_tool({"tc", "-s", "-j", "qdisc", "show"}, "", wires.get());
    if (!text)
        return text.error();
    json by_host = json::object();
    for (const auto& queue : json::parse(*text)) {
        const std::string device = queue.value("dev", "");
        if (queue.value("kind", "") == "tbf" && device.starts_with("p-"))
            by_host[device.substr(2)] = {{"packets", queue["packets"]},
                                         {"bytes", queue["bytes"]},
                                         {"drops", queue["drops"]}};
    }
    return by_host;
}

json link(const LinkCounts& counts) {
    return {{"packets", counts.packets.load()},
            {"bytes", counts.bytes.load()},
            {"payload_bytes", counts.payload_bytes.load()},
            {"messages", counts.messages.load()},
            {"drops", counts.drops.load()}};
}

} // namespace

Result<json> read_counters() {
    auto by_host = ports();
    if (!by_host)
        return by_host;
    const auto shared = map_shared(false);
    if (!shared)
        return shared.error();
    const auto made = read_text(state_dir + "/truth.json");
    if (!made)
        return made.error();
    const auto clusters = Clusters::parse(json::parse(*made)["clusters"].get<std::string>());
    if (!clusters)
        return clusters.error();
    json counters = {{"ports", *by_host}};
    for (int c = 0; clusters->count() > 1 && c < clusters->count(); ++c) {
        const auto i = static_cast<std::size_t>(c);
        counters["backbone"][cluster_name(c)] = {{"up", link((*shared)->up[i])},
                                                 {"down", link((*shared)->down[i])}};
    }
    return counters;
}

std::string counters_text(const json& counters) {
    const auto row = [](const std::string& name, const json& counts) {
        return fmt::format("{:<12} {:>10} {:>14} {:>8} {:>14} {:>10}\n", name,
                           counts["packets"].get<std::uint64_t>(),
                           counts["bytes"].get<std::uint64_t>(),
                           counts["drops"].get<std::uint64_t>(),
                           counts.contains("payload_bytes") ? counts["payload_bytes"].dump() : "",
                           counts.contains("messages") ? counts["messages"].dump() : "");
    };
    std::string text = fmt::format("{:<12} {:>10} {:>14} {:>8} {:>14} {:>10}\n", "queue", "packets",
                                   "bytes", "drops", "payload bytes", "messages");
    for (const auto& [host, counts] : counters["ports"].items())
        text += row("to " + host, counts);
    if (counters.contains("backbone"))
        for (const auto& [cluster, link_counts] : counters["backbone"].items())
            for (const auto* way : {"up", "down"})
                text += row(fmt::format("backbone {} {}", cluster, way), link_counts[way]);
    return text;
}

} // namespace alltold::lab

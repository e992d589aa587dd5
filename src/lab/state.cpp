// SPDX-License-Identifier: BSD-3-Clause
#include "lab/state.hpp"

#include <new>

#include <fcntl.h>
#include <sys/mman.h>

#include <fmt/format.h>

#include "lab/process.hpp"

namespace alltold::lab {

void Lateness::add(double late_ns) {
    const auto late = static_cast<std::uint64_t>(late_ns > 0 ? late_ns : 0);
    count.fetch_add(1, std::memory_order_relaxed);
    sum_ns.fetch_add(late, std::memory_order_relaxed);
    if (late > worst_ns.load(std::memory_order_relaxed))
        worst_ns.store(late, std::memory_order_relaxed);
    if (late > 1'000'000)
        over_1ms.fetch_add(1, std::memory_order_relaxed);
}

Result<Shared*> map_shared(bool create) {
    const std::string path = state_dir + "/shared";
    const Fd file(
        open(path.c_str(), create ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0644));
    if (!file.open() || (create && ftruncate(file.get(), sizeof(Shared)) != 0))
        return system_error(path);
    void* at = mmap(nullptr, sizeof(Shared), create ? PROT_READ | PROT_WRITE : PROT_READ,
                    MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED)
        return system_error(path);
    return create ? new (at) Shared : static_cast<Shared*>(at);
}

namespace {

using nlohmann::json;

json queue(const QueueCounts& counts) {
    return {{"packets", counts.packets.load()},
            {"bytes", counts.bytes.load()},
            {"drops", counts.drops.load()}};
}

json link(const LinkCounts& counts) {
    json made = queue(counts);
    made["payload_bytes"] = counts.payload_bytes.load();
    made["messages"] = counts.messages.load();
    return made;
}

} // namespace

Result<json> read_counters() {
    const auto made = read_text(state_dir + "/truth.json");
    if (!made)
        return environment("not inside a lab; run this command in one");
    ALLTOLD_TRY(shared, map_shared(false));
    ALLTOLD_TRY(clusters, Clusters::parse(json::parse(*made)["clusters"].get<std::string>()));
    json counters = {{"clusters", clusters->text()},
                     {"hosts", clusters->hosts()},
                     {"ranks", clusters->ranks()},
                     {"ports", json::object()}};
    for (int host = 0; host < clusters->hosts(); ++host)
        counters["ports"][host_name(*clusters, host)] =
            queue((*shared)->ports[static_cast<std::size_t>(host)]);
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

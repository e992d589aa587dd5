// SPDX-License-Identifier: BSD-3-Clause
#include "lab/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "core/units.hpp"

namespace alltold::lab {

Result<Wan> Wan::parse(std::string_view text) {
    const auto parts = split_at(text, ',');
    if (parts.size() != 3)
        return bad_input(
            fmt::format("backbone '{}': write RATE,DELAY,QUEUE, such as 200Mbit,5ms,512KiB", text));
    ALLTOLD_TRY(rate, parse_rate(parts[0]));
    ALLTOLD_TRY(delay, parse_time(parts[1]));
    ALLTOLD_TRY(queue, parse_size(parts[2]));
    return Wan{*rate, *delay, *queue};
}

Status check(const LabOptions& options) {
    const auto& clusters = options.clusters;
    if (clusters.count() > most_clusters)
        return bad_input(fmt::format("--clusters {}: {} clusters; a lab can have at most {}",
                                     clusters.text(), clusters.count(), most_clusters));
    for (int c = 0; c < clusters.count(); ++c)
        if (clusters.hosts(c) > most_hosts_a_cluster)
            return bad_input(fmt::format("--clusters {}: {} hosts in one cluster; the limit is {}",
                                         clusters.text(), clusters.hosts(c), most_hosts_a_cluster));
    if (clusters.hosts() > most_hosts)
        return bad_input(fmt::format("--clusters {}: {} hosts; a lab can have at most {}",
                                     clusters.text(), clusters.hosts(), most_hosts));
    const auto rate_fits = [](double rate) { return rate >= 64e3 && rate <= 10e9; };
    if (!rate_fits(options.nic_bit_per_s))
        return bad_input(fmt::format("--nic {}: must be between 64kbit and 10Gbit",
                                     format_rate(options.nic_bit_per_s)));
    constexpr std::uint64_t least = 2 * frame_bytes;
    constexpr std::uint64_t most = 1ULL << 30;
    if (options.buffer_bytes < least || options.buffer_bytes > most)
        return bad_input(fmt::format("--buffer {}: must be between two packets ({} B) and 1GiB",
                                     format_size_word(options.buffer_bytes), least));
    if (clusters.count() == 1)
        return Done{};
    if (!rate_fits(options.wan.bit_per_s))
        return bad_input(fmt::format("--wan: rate {} must be between 64kbit and 10Gbit",
                                     format_rate(options.wan.bit_per_s)));
    if (options.wan.delay_s > 10)
        return bad_input(
            fmt::format("--wan: delay {} must be at most 10s", format_time(options.wan.delay_s)));
    if (options.wan.queue_bytes < least || options.wan.queue_bytes > most)
        return bad_input(fmt::format("--wan: queue {} must be between two packets ({} B) and 1GiB",
                                     format_size_word(options.wan.queue_bytes), least));
    return Done{};
}

Clusters with_ranks_per_host(const Clusters& clusters, int each) {
    std::vector<std::vector<int>> hosts;
    for (int c = 0; c < clusters.count(); ++c)
        hosts.emplace_back(static_cast<std::size_t>(clusters.hosts(c)), each);
    return Clusters::of_hosts(hosts);
}

std::string size_text(const Clusters& clusters) {
    const auto of = [](int count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    return fmt::format("{} on {} ({})", of(clusters.ranks(), "rank"), of(clusters.hosts(), "host"),
                       clusters.text());
}

std::string cluster_name(int cluster) {
    const auto letter = [](int i) { return std::string(1, static_cast<char>('a' + i)); };
    return cluster < 26 ? letter(cluster) : letter(cluster / 26 - 1) + letter(cluster % 26);
}

std::string host_name(const Clusters& clusters, int host) {
    return cluster_name(clusters.cluster_of_host(host)) +
           std::to_string(clusters.host_in_cluster(host) + 1);
}

std::string data_address(const Clusters& clusters, int host) {
    return fmt::format("198.18.{}.{}", clusters.cluster_of_host(host),
                       clusters.host_in_cluster(host) + 1);
}

std::string control_address(const Clusters& clusters, int host) {
    return fmt::format("198.19.{}.{}", clusters.cluster_of_host(host),
                       clusters.host_in_cluster(host) + 1);
}

std::array<unsigned char, 6> hardware_bytes(int cluster, int host) {
    return {
        0x02, 0x18, 0, 0, static_cast<unsigned char>(cluster), static_cast<unsigned char>(host)};
}

std::string hardware_address(int cluster, int host) {
    return fmt::format("{:02x}", fmt::join(hardware_bytes(cluster, host), ":"));
}

nlohmann::json truth(const LabOptions& options) {
    constexpr double useful = static_cast<double>(segment_bytes) / frame_bytes;
    nlohmann::json hosts = nlohmann::json::array();
    for (int host = 0; host < options.clusters.hosts(); ++host)
        hosts.push_back({{"ranks", options.clusters.ranks_of_host(host)},
                         {"cluster", options.clusters.cluster_of_host(host)},
                         {"name", host_name(options.clusters, host)},
                         {"address", data_address(options.clusters, host)}});
    nlohmann::json made = {
        {"alltold_lab", 1},
        {"clusters", options.clusters.text()},
        {"nic",
         {{"rate_bit_per_s", options.nic_bit_per_s},
          {"goodput_byte_per_s", options.nic_bit_per_s / 8 * useful}}},
        {"switch", {{"port_buffer_bytes", options.buffer_bytes}}},
        {"tcp", options.tcp},
        {"mtu_bytes", mtu_bytes},
        {"frame_bytes", frame_bytes},
        {"segment_bytes", segment_bytes},
        {"data_interface", "eth0"},
        {"control_interface", "ctl0"},
        {"hosts", hosts},
    };
    if (options.clusters.count() > 1)
        made["wan"] = {{"shape", "star"},
                       {"rate_bit_per_s", options.wan.bit_per_s},
                       {"goodput_byte_per_s", options.wan.bit_per_s / 8 * useful},
                       {"one_way_delay_s", options.wan.delay_s},
                       {"queue_bytes", options.wan.queue_bytes}};
    return made;
}

} // namespace alltold::lab

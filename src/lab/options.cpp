// SPDX-License-Identifier: BSD-3-Clause
#include "lab/options.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "core/units.hpp"

namespace alltold::lab {

namespace {

constexpr std::uint64_t least_queue_bytes = 2 * frame_bytes;
constexpr std::uint64_t most_queue_bytes = 1ULL << 30;

bool rate_fits(double bit_per_s) {
    return bit_per_s >= 64e3 && bit_per_s <= 10e9;
}

} // namespace

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

Result<std::pair<ClusterPair, Wan>> parse_pair_wan(std::string_view text) {
    const auto equals = text.find('=');
    const auto names = split_at(text.substr(0, equals), '-');
    const auto wrong = [&](std::string_view why) {
        return bad_input(fmt::format("backbone '{}': {}; write the letters of two clusters, as "
                                     "their hosts have, such as a-b=20Mbit,10ms,64KiB",
                                     text, why));
    };
    if (names.size() != 2)
        return wrong(fmt::format("'{}' is no pair of clusters", text.substr(0, equals)));
    std::array<int, 2> clusters{};
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        while (clusters[i] < most_clusters && cluster_name(clusters[i]) != names[i])
            ++clusters[i];
        if (clusters[i] == most_clusters)
            return wrong(fmt::format("'{}' is no cluster", names[i]));
    }
    if (clusters[0] == clusters[1])
        return wrong("a cluster has no backbone to itself");
    ALLTOLD_TRY(wan, Wan::parse(text.substr(equals + 1)));
    return std::pair{ClusterPair(std::minmax(clusters[0], clusters[1])), *wan};
}

bool LabOptions::equal_nics() const {
    for (int c = 1; c < clusters.count(); ++c)
        if (nic_of(c) != nic_of(0))
            return false;
    return true;
}

Status LabOptions::parse_clusters(std::string_view text) {
    std::vector<std::string_view> sizes;
    std::vector<double> rates;
    for (const auto cluster : split_at(text, '+')) {
        const auto at = cluster.find('@');
        sizes.push_back(cluster.substr(0, at));
        rates.push_back(0);
        if (at != cluster.npos) {
            ALLTOLD_TRY_INTO(rates.back(), parse_rate(cluster.substr(at + 1)));
        }
    }
    ALLTOLD_TRY_INTO(clusters, Clusters::parse(fmt::format("{}", fmt::join(sizes, "+"))));
    cluster_bit_per_s = std::move(rates);
    return Done{};
}

namespace {

Status check_wan(const Wan& wan, const std::string& name) {
    if (!rate_fits(wan.bit_per_s))
        return bad_input(fmt::format("{}: rate {} must be between 64kbit and 10Gbit", name,
                                     format_rate(wan.bit_per_s)));
    if (wan.delay_s > 10)
        return bad_input(
            fmt::format("{}: delay {} must be at most 10s", name, format_time(wan.delay_s)));
    if (wan.queue_bytes < least_queue_bytes || wan.queue_bytes > most_queue_bytes)
        return bad_input(fmt::format("{}: queue {} must be between two packets ({} B) and 1GiB",
                                     name, format_size_word(wan.queue_bytes), least_queue_bytes));
    return Done{};
}

std::string pair_name(const ClusterPair& pair) {
    return cluster_name(pair.first) + "-" + cluster_name(pair.second);
}

} // namespace

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
    for (int c = 0; c < clusters.count(); ++c)
        if (const double rate = options.nic_of(c); !rate_fits(rate))
            return bad_input(fmt::format("{} {}: must be between 64kbit and 10Gbit",
                                         rate == options.nic_bit_per_s ? "--nic" : "--clusters: rate",
                                         format_rate(rate)));
    if (options.buffer_bytes < least_queue_bytes || options.buffer_bytes > most_queue_bytes)
        return bad_input(fmt::format("--buffer {}: must be between two packets ({} B) and 1GiB",
                                     format_size_word(options.buffer_bytes), least_queue_bytes));
    for (const auto& [pair, wan] : options.pair_wans) {
        const auto name = "--wan " + pair_name(pair);
        if (pair.second >= clusters.count())
            return bad_input(fmt::format("{}: --clusters {} has no cluster {}", name,
                                         clusters.text(), cluster_name(pair.second)));
        ALLTOLD_TRY_DONE(check_wan(wan, name));
    }
    return clusters.count() == 1 ? Done{} : check_wan(options.wan, "--wan");
}

std::string nic_text(const LabOptions& options) {
    if (options.equal_nics())
        return format_rate(options.nic_of(0));
    std::vector<std::string> texts;
    for (int c = 0; c < options.clusters.count(); ++c)
        texts.push_back(fmt::format("{}: {}", cluster_name(c), format_rate(options.nic_of(c))));
    return fmt::format("{}", fmt::join(texts, ", "));
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

namespace {

nlohmann::json rate_json(double bit_per_s) {
    constexpr double useful = static_cast<double>(segment_bytes) / frame_bytes;
    return {{"rate_bit_per_s", bit_per_s}, {"goodput_byte_per_s", bit_per_s / 8 * useful}};
}

nlohmann::json wan_json(const Wan& wan) {
    auto made = rate_json(wan.bit_per_s);
    made["one_way_delay_s"] = wan.delay_s;
    made["queue_bytes"] = wan.queue_bytes;
    return made;
}

nlohmann::json nic_json(const LabOptions& options) {
    auto of_clusters = nlohmann::json::array();
    double lowest = INFINITY;
    for (int c = 0; c < options.clusters.count(); ++c) {
        of_clusters.push_back(rate_json(options.nic_of(c)));
        lowest = std::min(lowest, options.nic_of(c));
    }
    auto made = rate_json(lowest);
    if (!options.equal_nics())
        made["of_clusters"] = of_clusters;
    return made;
}

std::string mbit(const nlohmann::json& link) {
    return fmt::format("{:g}Mbit", link.at("rate_bit_per_s").get<double>() / 1e6);
}

std::string wan_text(const nlohmann::json& wan) {
    return fmt::format("{},{:g}ms,{}", mbit(wan), wan.at("one_way_delay_s").get<double>() * 1e3,
                       format_size_word(wan.at("queue_bytes").get<std::uint64_t>()));
}

} // namespace

nlohmann::json truth(const LabOptions& options) {
    nlohmann::json hosts = nlohmann::json::array();
    for (int host = 0; host < options.clusters.hosts(); ++host)
        hosts.push_back({{"ranks", options.clusters.ranks_of_host(host)},
                         {"cluster", options.clusters.cluster_of_host(host)},
                         {"name", host_name(options.clusters, host)},
                         {"address", data_address(options.clusters, host)}});
    nlohmann::json made = {
        {"alltold_lab", 1},
        {"clusters", options.clusters.text()},
        {"nic", nic_json(options)},
        {"switch", {{"port_buffer_bytes", options.buffer_bytes}}},
        {"tcp", options.tcp},
        {"mtu_bytes", mtu_bytes},
        {"frame_bytes", frame_bytes},
        {"segment_bytes", segment_bytes},
        {"data_interface", "eth0"},
        {"control_interface", "ctl0"},
        {"hosts", hosts},
    };
    if (options.clusters.count() > 1) {
        made["wan"] = wan_json(options.wan);
        made["wan"]["shape"] = "star";
    }
    for (const auto& [pair, wan] : options.pair_wans) {
        auto own = wan_json(wan);
        own["clusters"] = pair;
        made["wan"]["of_pairs"].push_back(own);
    }
    return made;
}

std::string options_text(const nlohmann::json& truth) {
    const auto& nic = truth.at("nic");
    auto clusters = truth.at("clusters").get<std::string>();
    if (nic.contains("of_clusters")) {
        std::vector<std::string> texts;
        for (const auto size : split_at(clusters, '+'))
            texts.push_back(fmt::format("{}@{}", size, mbit(nic["of_clusters"].at(texts.size()))));
        clusters = fmt::format("{}", fmt::join(texts, "+"));
    }
    auto text = fmt::format(
        "--clusters {} --nic {} --buffer {}", clusters, mbit(nic),
        format_size_word(truth.at("switch").at("port_buffer_bytes").get<std::uint64_t>()));
    if (!truth.contains("wan"))
        return text;
    text += " --wan " + wan_text(truth["wan"]);
    if (truth["wan"].contains("of_pairs"))
        for (const auto& own : truth["wan"]["of_pairs"])
            text += fmt::format(" --wan {}={}", pair_name(own.at("clusters").get<ClusterPair>()),
                                wan_text(own));
    return text;
}

} // namespace alltold::lab

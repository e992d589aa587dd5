// SPDX-License-Identifier: BSD-3-Clause
// Latencies between hosts, and pLogP's curves.
#include <fmt/format.h>

#include "report/page/figures.hpp"

namespace alltold {
namespace {

/// For more ranks only the measured pairs are shown: the others alone would be megabytes.
constexpr int most_ranks_of_a_whole_matrix = 100;

struct PairTime {
    std::uint64_t size_bytes = 0;
    double time_s = 0;
};

/// For each pair, the time of its smallest ping-pong, or what the probe of all pairs measured.
std::map<std::pair<int, int>, PairTime> pair_times(std::span<const PointSamples> measured) {
    std::map<std::pair<int, int>, PairTime> pairs;
    for (const auto& samples : measured) {
        const auto& point = samples.point;
        const auto times_s = samples.series().times_s;
        if ((point.probe != "pingpong" && point.probe != "latency") || point.first_rank < 0 ||
            point.second_rank < 0 || times_s.empty())
            continue;
        const std::pair key = std::minmax({point.first_rank, point.second_rank});
        const auto known = pairs.find(key);
        if (known == pairs.end() || point.size_bytes < known->second.size_bytes)
            pairs[key] = {point.size_bytes, median(times_s)};
    }
    return pairs;
}

} // namespace

Figure latency_matrix(const PageInput& input) {
    Figure figure{.id = "latency",
                  .chart = "latency_matrix",
                  .title = "Who is near whom",
                  .text = "One-way time of the smallest message between two hosts, in the order of "
                          "the clusters. Pairs that were not measured are grey or left out.",
                  .columns = {{"from_rank", "from"},
                              {"from_host", "host"},
                              {"to_rank", "to"},
                              {"to_host", "host"},
                              {"same_cluster", "same cluster"},
                              {"time_s", "one way", "s"}}};
    const auto& where = input.fitted.provenance;
    const auto pairs = pair_times(input.measured);
    const int ranks = std::min(where.clusters.ranks(), static_cast<int>(where.hosts.size()));
    if (pairs.empty() || ranks < 2) {
        figure.missing = "No ping-pong between two hosts was measured.";
        return figure;
    }
    figure.text = fmt::format("{} Clusters: {}, {}.", figure.text, where.clusters.text(),
                              where.clusters_from.empty() ? "source unknown" : where.clusters_from);
    for (int from = 0; from < ranks; ++from)
        for (int to = 0; to < ranks; ++to) {
            if (from == to)
                continue;
            const auto found = pairs.find(std::minmax({from, to}));
            if (found == pairs.end() && ranks > most_ranks_of_a_whole_matrix)
                continue;
            figure.rows.push_back(
                {from, where.hosts[static_cast<std::size_t>(from)], to,
                 where.hosts[static_cast<std::size_t>(to)],
                 where.clusters.cluster_of(from) == where.clusters.cluster_of(to),
                 found == pairs.end() ? nullptr : number_or_null(found->second.time_s)});
        }
    return figure;
}

Figure plogp_curves(const PageInput& input) {
    Figure figure{.id = "plogp",
                  .chart = "plogp",
                  .title = "One message: pLogP's curves",
                  .text = "g(m) is the gap between messages, o_s(m) and o_r(m) are the times that "
                          "a message keeps its sender and receiver busy. Bars are 95 % intervals.",
                  .columns = {{"curve", "curve"},
                              {"size_bytes", "m", "B"},
                              {"time_s", "time", "s"},
                              {"low_s", "low", "s"},
                              {"high_s", "high", "s"}}};
    const auto& plogp = input.fitted.network.plogp;
    if (plogp)
        for (const auto& [name, curve] :
             {std::pair{"g(m)", &plogp->g_s}, std::pair{"o_s(m)", &plogp->o_s},
              std::pair{"o_r(m)", &plogp->o_r}})
            for (const auto& point : curve->points()) {
                nlohmann::ordered_json row{name, point.size_bytes};
                append(row, point.time_s);
                figure.rows.push_back(std::move(row));
            }
    if (figure.rows.empty()) {
        figure.missing = "Not measured.";
        for (const auto& refusal : input.fitted.refused)
            if (refusal.what == "plogp")
                figure.missing = "Refused: " + refusal.reason + ".";
    }
    return figure;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The list of all algorithms, the search by name, and the check of a call's parameters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/limits.hpp"
#include "core/text.hpp"
#include "schedule/algorithms/algorithm.hpp"

namespace alltold {

#define ALLTOLD_ROW(file)                                                                          \
    namespace file {                                                                               \
    extern const Algorithm row;                                                                    \
    }
#define ALLTOLD_ROWS(file)                                                                         \
    namespace file {                                                                               \
    extern const AlgorithmRows rows;                                                               \
    }
#include "algorithm_rows.inc"
#undef ALLTOLD_ROW
#undef ALLTOLD_ROWS

namespace {

std::vector<const Algorithm*> sorted_rows() {
    std::vector<const Algorithm*> all;
#define ALLTOLD_ROW(file) all.push_back(&file::row);
#define ALLTOLD_ROWS(file)                                                                         \
    for (const auto& row : file::rows)                                                             \
        all.push_back(&row);
#include "algorithm_rows.inc"
#undef ALLTOLD_ROW
#undef ALLTOLD_ROWS
    std::ranges::sort(all, {}, &Algorithm::name);
    return all;
}

std::string_view short_name_of(const Algorithm& algorithm) {
    return algorithm.name.substr(algorithm.name.find('.') + 1);
}

/// How far `name` is from the algorithm's, if it may be a mistyped one.
std::optional<std::size_t> distance_of(std::string_view name, const Algorithm& algorithm) {
    const auto has_it = [&](std::string_view whole) {
        return !name.empty() && whole.find(name) != std::string_view::npos;
    };
    const auto short_name = short_name_of(algorithm);
    // "lg" is sooner alltoall.lg than a part of "allgather".
    if (has_it(short_name))
        return 0;
    if (has_it(algorithm.name))
        return 1;
    const auto distance =
        std::min(edit_distance(name, algorithm.name), edit_distance(name, short_name));
    return 2 * distance <= name.size() ? std::optional(1 + distance) : std::nullopt;
}

/// At most three of those that run the collective, if one is given; none for a word too long to be
/// one mistyped.
std::vector<std::string_view> closest_names(std::string_view name,
                                            std::optional<Collective> collective) {
    std::vector<std::pair<std::size_t, std::string_view>> near;
    if (name.size() > longest_mistyped_word)
        return {};
    for (const auto* algorithm : registry())
        if (!collective || algorithm->runs(*collective))
            if (const auto distance = distance_of(name, *algorithm))
                near.emplace_back(*distance, algorithm->name);
    std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string_view>::first);
    near.resize(std::min<std::size_t>(near.size(), 3));
    std::vector<std::string_view> names;
    for (const auto& [distance, near_name] : near)
        names.push_back(near_name);
    return names;
}

Error unknown(std::string_view name, std::optional<Collective> collective) {
    const auto closest = closest_names(name, collective);
    const auto of = collective ? fmt::format(" of {}", name_of(*collective)) : "";
    if (closest.empty())
        return bad_input(fmt::format("unknown algorithm '{}'{}; see alltold list", name, of));
    return bad_input(fmt::format("unknown algorithm '{}'{}; closest: {} (see alltold list)", name,
                                 of, fmt::join(closest, ", ")));
}

Status check_use(const Algorithm& algorithm, Algorithm::Use use, bool given,
                 std::string_view parameter, std::string_view example) {
    if (given && use == Algorithm::Use::no)
        return bad_input(fmt::format("{} takes no {}", algorithm.name,
                                     parameter.substr(parameter.find(' ') + 1)));
    if (!given && use == Algorithm::Use::must)
        return bad_input(
            fmt::format("{} needs {}, such as {}", algorithm.name, parameter, example));
    return Done{};
}

Status check_clusters(const Algorithm& algorithm, int ranks, const Clusters& clusters) {
    if (clusters.ranks() != ranks)
        return bad_input(fmt::format("clusters {} have {} ranks in total, but there are {}",
                                     clusters.text(), clusters.ranks(), ranks));
    if (clusters.count() < 2 && algorithm.clusters == Algorithm::Use::must)
        return bad_input(fmt::format("{} needs at least 2 clusters, such as 3+7, not {}",
                                     algorithm.name, clusters.text()));
    if (!algorithm.suits_hosts(clusters))
        return bad_input(fmt::format("{} needs a host with several ranks, such as 6x4, not {}",
                                     algorithm.name, clusters.text()));
    return Done{};
}

} // namespace

std::span<const Algorithm* const> registry() {
    static const auto all = sorted_rows();
    return all;
}

Result<const Algorithm*> find_algorithm(std::string_view name) {
    const auto found = std::ranges::find(registry(), name, &Algorithm::name);
    return found != registry().end() ? Result(*found) : unknown(name, std::nullopt);
}

Result<const Algorithm*> find_algorithm(std::string_view name, Collective collective) {
    for (const auto* algorithm : registry())
        if (algorithm->name == name ||
            (algorithm->runs(collective) && short_name_of(*algorithm) == name))
            return algorithm;
    return unknown(name, collective);
}

Status accepts(const Algorithm& algorithm, Collective collective, int ranks, int root,
               const Parameters& parameters, const Reduction& reduction) {
    if (!algorithm.runs(collective))
        return bad_input(
            fmt::format("{} is not an algorithm for {}", algorithm.name, name_of(collective)));
    if (ranks < 1)
        return bad_input(fmt::format("{} ranks: must be at least 1", ranks));
    if (!algorithm.suits(reduction))
        return bad_input(fmt::format("{} does not combine in the order of ranks, which an operator "
                                     "that does not commute needs",
                                     algorithm.name));
    if (!algorithm.rooted() && root > 0)
        return bad_input(fmt::format("{} takes no root", algorithm.name));
    if (algorithm.rooted() && root >= ranks)
        return bad_input(fmt::format("root {}: must be a rank from 0 to {}", root, ranks - 1));
    for (const int window : {parameters.window, parameters.inter_cluster_window})
        if (window < 0 || window > most_window)
            return bad_input(
                fmt::format("window {}: must be at least 1 and at most {}", window, most_window));
    const bool given = parameters.clusters.has_value();
    for (const auto& status :
         {check_use(algorithm, algorithm.segment, parameters.segment_bytes != 0, "a segment size",
                    "--segment 8KiB"),
          check_use(algorithm, algorithm.window, parameters.window != 0, "a window", "--window 4"),
          check_use(algorithm, algorithm.inter_cluster_window, parameters.inter_cluster_window != 0,
                    "an inter-cluster window", "--inter-cluster-window 4"),
          algorithm.hosts == Algorithm::Use::no
              ? check_use(algorithm, algorithm.clusters, given, "several clusters",
                          "--clusters 3+7")
              : check_use(algorithm, algorithm.hosts, given, "hosts with several ranks",
                          "--clusters 6x4")})
        if (!status)
            return status.error();
    return parameters.clusters ? check_clusters(algorithm, ranks, *parameters.clusters) : Done{};
}

Schedule schedule_of(const Algorithm& algorithm, const Specification& specification,
                     const Parameters& parameters, int rank) {
    const auto collective = specification.collective();
    Shares shares;
    if (collective == Collective::alltoallv)
        shares = specification.shares(rank);
    assert(accepts(algorithm, collective, specification.ranks(), specification.root(), parameters,
                   specification.reduction()));
    const Task task{collective,
                    rank,
                    specification.ranks(),
                    specification.root(),
                    specification.size_bytes(),
                    collective == Collective::alltoallv ? &shares : nullptr,
                    parameters,
                    specification.reduction()};
    if (collective == Collective::alltoallv && algorithm.passes_on)
        for (const auto& block : algorithm.passes_on(task))
            shares.relayed_bytes.push_back(specification.size_bytes(block));
    return algorithm.generate(task);
}

std::vector<Schedule> schedules_of(const Algorithm& algorithm, const Specification& specification,
                                   const Parameters& parameters) {
    std::vector<Schedule> result;
    for (int rank = 0; rank < specification.ranks(); ++rank)
        result.push_back(schedule_of(algorithm, specification, parameters, rank));
    return result;
}

Limits limits_of(const Algorithm& algorithm, const Parameters& parameters) {
    return algorithm.limits ? algorithm.limits(parameters.window) : Limits{};
}

} // namespace alltold

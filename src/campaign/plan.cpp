// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/plan.hpp"

#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/probe.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "topology/rank_order.hpp"

namespace alltold::campaign {
namespace {

constexpr int most_pairs = 16;

std::vector<Clusters> default_subsets(const Clusters& world) {
    constexpr double of_largest[]{2. / 3, 1}, of_several[]{1. / 3, 2. / 3, 1};
    constexpr double of_one[]{1. / 3, 0.5, 2. / 3, 1};
    return world.count() > 1 ? shares_of_hosts(world, of_largest, of_several)
                             : shares_of_hosts(world, {}, of_one);
}

Status fits(const Clusters& subset, const Clusters& world) {
    if (!place_of(subset, world).empty() && subset.ranks() >= 2)
        return Done{};
    const auto hint =
        subset.one_rank_per_host() && !world.one_rank_per_host()
            ? fmt::format("; '{}' means one rank on each host: write hosts x ranks per host, such "
                          "as {}",
                          subset.text(), share_of_hosts(world, 0.5).text())
            : "";
    return bad_input(fmt::format("-n: '{}' does not fit into the {} ranks of clusters {}; give at "
                                 "least 2 ranks and no more than each cluster{} has{}",
                                 subset.text(), world.ranks(), world.text(),
                                 world.one_rank_per_host() ? "" : " and host", hint));
}

bool requested(const Request& request, std::string_view kind) {
    if (request.only.empty())
        return !request.rough || std::ranges::find(kinds(), kind, &Kind::name)->rough;
    return std::find(request.only.begin(), request.only.end(), kind) != request.only.end();
}

int urgency(const Point& point) {
    const auto& probe = probe_of(point);
    return probe.urgency ? probe.urgency(point) : std::numeric_limits<int>::max();
}

/// The points of a probe between hosts, by the lowest rank of each; none on a single host.
Result<std::vector<Point>> plan_between_hosts(const Probe& probe, const Clusters& world,
                                              const Request& request) {
    if (world.hosts() < 2)
        return std::vector<Point>();
    auto points = probe.plan(world.leaders(), request);
    if (points)
        for (auto& point : *points)
            for (int* rank : {&point.first_rank, &point.second_rank})
                if (*rank >= 0)
                    *rank = world.first_of_host(*rank);
    return points;
}

} // namespace

std::vector<std::pair<int, int>> choose_pairs(const Clusters& world) {
    std::vector<std::pair<int, int>> local;
    std::vector<std::pair<int, int>> inter_cluster;
    for (int c = 0; c < world.count(); ++c)
        for (int i = 0; i < world.size(c); i += 2) {
            const int rank = world.first(c) + i;
            if (i + 1 < world.size(c))
                local.emplace_back(rank, rank + 1);
            else if (i > 0)
                local.emplace_back(world.first(c), rank);
        }
    // Round by round, so that a cap leaves each pair of clusters a similar number of pairs.
    for (int i = 0; i < 3; ++i)
        for (int a = 0; a < world.count(); ++a)
            for (int b = a + 1; b < world.count(); ++b)
                if (i < world.size(a) && i < world.size(b))
                    inter_cluster.emplace_back(world.first(a) + i, world.first(b) + i);
    const auto thin_out = [](std::vector<std::pair<int, int>>& pairs, std::size_t most) {
        std::vector<std::pair<int, int>> kept;
        for (std::size_t i = 0; i < std::min(most, pairs.size()); ++i)
            kept.push_back(pairs[i * std::max(pairs.size(), most) / most]);
        pairs = std::move(kept);
    };
    const std::size_t half = inter_cluster.empty() ? most_pairs : most_pairs / 2;
    thin_out(local, half);
    thin_out(inter_cluster, half);
    local.insert(local.end(), inter_cluster.begin(), inter_cluster.end());
    return local;
}

std::vector<std::pair<int, int>> rough_pairs(const Clusters& world) {
    std::vector<std::pair<int, int>> pairs;
    for (int c = 0; c < world.count(); ++c)
        if (world.size(c) >= 2)
            pairs.emplace_back(world.first(c), world.first(c) + 1);
    if (world.count() == 1 && world.ranks() >= 4)
        pairs.emplace_back(2, 3);
    for (int a = 0; a < world.count(); ++a)
        for (int b = a + 1; b < world.count(); ++b)
            pairs.emplace_back(world.first(a), world.first(b));
    return pairs;
}

Result<std::vector<Point>> rough_network_plan(const Clusters& world) {
    return make_plan(world, {.only = {}, .sizes_bytes = {}, .subsets = {}, .rough = true});
}

Status check_subsets(std::span<const Clusters> subsets, const Clusters& world) {
    for (const auto& subset : subsets)
        ALLTOLD_TRY_DONE(fits(subset, world));
    return Done{};
}

Result<std::vector<Clusters>> parse_subsets(std::string_view text) {
    std::vector<Clusters> subsets;
    for (const auto entry : split_at(text, ',')) {
        ALLTOLD_TRY(subset, Clusters::parse(entry));
        subsets.push_back(std::move(*subset));
    }
    return subsets;
}

Point pair_point(std::string probe, const Clusters& world, std::pair<int, int> pair,
                 std::uint64_t size_bytes) {
    const bool local = world.cluster_of(pair.first) == world.cluster_of(pair.second);
    return {std::move(probe), "mpi",      local ? Clusters({2}) : Clusters({1, 1}),
            size_bytes,       pair.first, pair.second};
}

std::vector<Clusters> subsets_for(const Clusters& world, const Request& request) {
    return request.subsets.empty() ? default_subsets(world) : request.subsets;
}

std::vector<Clusters> learning_subsets(const Clusters& world, const Request& request) {
    if (!request.subsets.empty())
        return request.subsets;
    std::vector subsets{share_of_hosts(world, 1. / 3), share_of_hosts(world, 2. / 3)};
    // Powers of two alone would not be representative of an algorithm.
    const auto is_power = [](const Clusters& subset) {
        return std::has_single_bit(static_cast<unsigned>(subset.ranks()));
    };
    if (auto& fewest = subsets.front(); is_power(fewest) == is_power(subsets.back())) {
        const auto leaders = fewest.leaders();
        std::vector<int> hosts(leaders.sizes().begin(), leaders.sizes().end());
        if (const int last = world.count() - 1; hosts.back() < world.hosts(last))
            ++hosts.back();
        fewest = first_hosts(world, hosts);
    }
    std::erase_if(subsets, [&](const Clusters& subset) {
        return subset.ranks() < 2 || subset.hosts() < std::min(2, world.hosts());
    });
    subsets.erase(std::unique(subsets.begin(), subsets.end()), subsets.end());
    return subsets;
}

std::vector<std::uint64_t> sizes_or(const Request& request, std::vector<std::uint64_t> usual) {
    return request.sizes_bytes.empty() ? std::move(usual) : request.sizes_bytes;
}

Result<std::vector<Point>> make_plan(const Clusters& world, const Request& request) {
    std::vector<std::string_view> names;
    for (const auto& kind : kinds())
        names.push_back(kind.name);
    for (const auto& kind : request.only)
        if (std::find(names.begin(), names.end(), kind) == names.end())
            return bad_input(fmt::format("--only: unknown kind '{}'; use one or more of {}", kind,
                                         fmt::join(names, ", ")));
    ALLTOLD_TRY_DONE(check_subsets(request.subsets, world));
    ALLTOLD_TRY_DONE(check_collectives(request));
    std::vector<Point> plan;
    for (const auto& probe : probes()) {
        if (!requested(request, probe.kind))
            continue;
        ALLTOLD_TRY(points, probe.within_hosts ? probe.plan(world, request)
                                               : plan_between_hosts(probe, world, request));
        plan.insert(plan.end(), points->begin(), points->end());
    }
    if (request.rough)
        std::ranges::stable_sort(plan, {}, urgency);
    return plan;
}

std::string describe(const Point& point) {
    const auto from = point.second_rank >= 0
                          ? fmt::format("{}-{}", point.first_rank, point.second_rank)
                          : std::to_string(point.first_rank);
    const auto hosts = fmt::format("n = {}", point.clusters.text());
    const bool few = point.n() <= (point.second_rank >= 0 ? 2 : 1);
    const auto participants = point.first_rank < 0 ? hosts : few ? from : hosts + " from " + from;
    return fmt::format("{}{} {}, {}{}", point.probe,
                       point.algorithm == "mpi" ? "" : fmt::format(" ({})", point.algorithm),
                       participants, format_size(point.size_bytes),
                       point.count == 0 ? "" : fmt::format(", count {}", point.count));
}

} // namespace alltold::campaign

// SPDX-License-Identifier: BSD-3-Clause
// Default sizes, pairs and subsets, and the list of points they make.
#include "measure/plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/units.hpp"

namespace alltold::measure {
namespace {

constexpr std::uint64_t ki = 1024;
const std::vector<std::uint64_t> pingpong_sizes{
    1, 64, 1 * ki, 4 * ki, 8 * ki, 16 * ki, 32 * ki, 64 * ki, 128 * ki, 256 * ki, 1024 * ki};
const std::vector<std::uint64_t> alltoall_sizes{
    1, 64, 256, 1 * ki, 2 * ki, 4 * ki, 8 * ki, 16 * ki, 32 * ki, 64 * ki, 128 * ki, 256 * ki};
constexpr int most_pairs = 16;

/// Neighbours of each cluster in pairs, so that every host appears, the odd one out with the
/// cluster's first; then for each two clusters the hosts of equal place, as many as the cap leaves.
/// Beyond the cap pairs are spread evenly over the hosts.
std::vector<std::pair<int, int>> choose_pairs(const Clusters& world) {
    std::vector<std::pair<int, int>> local;
    std::vector<std::pair<int, int>> wide;
    for (int c = 0; c < world.count(); ++c)
        for (int i = 0; i < world.size(c); i += 2) {
            const int rank = world.first(c) + i;
            if (i + 1 < world.size(c))
                local.emplace_back(rank, rank + 1);
            else if (i > 0)
                local.emplace_back(world.first(c), rank);
        }
    // Round by round, so that a cap leaves every two clusters about as many pairs.
    for (int i = 0; i < 3; ++i)
        for (int a = 0; a < world.count(); ++a)
            for (int b = a + 1; b < world.count(); ++b)
                if (i < world.size(a) && i < world.size(b))
                    wide.emplace_back(world.first(a) + i, world.first(b) + i);
    const auto thin_out = [](std::vector<std::pair<int, int>>& pairs, std::size_t most) {
        std::vector<std::pair<int, int>> kept;
        for (std::size_t i = 0; i < std::min(most, pairs.size()); ++i)
            kept.push_back(pairs[i * std::max(pairs.size(), most) / most]);
        pairs = std::move(kept);
    };
    const std::size_t half = wide.empty() ? most_pairs : most_pairs / 2;
    thin_out(local, half);
    thin_out(wide, half);
    local.insert(local.end(), wide.begin(), wide.end());
    return local;
}

/// `share` of each of the world's clusters, at least one host.
Clusters part_of(const Clusters& world, double share) {
    std::vector<int> sizes;
    for (const int size : world.sizes())
        sizes.push_back(std::max(1, static_cast<int>(std::lround(share * size))));
    return Clusters(std::move(sizes));
}

/// A third, half, two thirds and all of the hosts; on several clusters those of all clusters
/// together and, so that a single cluster's behaviour is known, those of the first alone.
std::vector<Clusters> default_subsets(const Clusters& world) {
    std::vector<Clusters> subsets;
    const auto add = [&](Clusters subset) {
        if (subset.ranks() >= 2 &&
            std::find(subsets.begin(), subsets.end(), subset) == subsets.end())
            subsets.push_back(std::move(subset));
    };
    const Clusters first({world.size(0)});
    if (world.count() > 1)
        for (const double share : {2. / 3, 1.})
            add(part_of(first, share));
    for (const double share : {1. / 3, 0.5, 2. / 3, 1.})
        if (world.count() == 1 || share != 0.5)
            add(part_of(world, share));
    return subsets;
}

Status fits(const Clusters& subset, const Clusters& world) {
    bool inside = subset.count() <= world.count() && subset.ranks() >= 2;
    for (int c = 0; inside && c < subset.count(); ++c)
        inside = subset.size(c) <= world.size(c);
    if (!inside)
        return bad_input(fmt::format("--procs: '{}' is no part of the {} ranks of clusters {}; "
                                     "write at least 2 and at most so many of each",
                                     subset.text(), world.ranks(), world.text()));
    return Done{};
}

bool wished(const Wishes& wishes, const std::string& kind) {
    return wishes.only.empty() ||
           std::find(wishes.only.begin(), wishes.only.end(), kind) != wishes.only.end();
}

} // namespace

const std::vector<std::string>& kinds() {
    static const std::vector<std::string> names{"p2p", "collectives"};
    return names;
}

Result<std::vector<Clusters>> parse_subsets(std::string_view text) {
    std::vector<Clusters> subsets;
    for (std::size_t from = 0; from <= text.size();) {
        const auto to = std::min(text.find(',', from), text.size());
        auto subset = Clusters::parse(text.substr(from, to - from));
        if (!subset)
            return subset.error();
        subsets.push_back(std::move(*subset));
        from = to + 1;
    }
    return subsets;
}

Result<std::vector<Point>> make_plan(const Clusters& world, const Wishes& wishes) {
    for (const auto& kind : wishes.only)
        if (std::find(kinds().begin(), kinds().end(), kind) == kinds().end())
            return bad_input(fmt::format("--only: '{}' is no kind of measurement; there are {}",
                                         kind, fmt::join(kinds(), ", ")));
    for (const auto& subset : wishes.subsets)
        if (auto fit = fits(subset, world); !fit)
            return fit.error();
    std::vector<Point> plan;
    const auto sizes_or = [&](const std::vector<std::uint64_t>& usual) {
        return wishes.sizes_bytes.empty() ? usual : wishes.sizes_bytes;
    };
    if (wished(wishes, "p2p"))
        for (const auto& [first, second] : choose_pairs(world))
            for (const auto size_bytes : sizes_or(pingpong_sizes)) {
                const bool local = world.cluster_of(first) == world.cluster_of(second);
                plan.push_back({"pingpong", "mpi", local ? Clusters({2}) : Clusters({1, 1}),
                                size_bytes, first, second});
            }
    if (wished(wishes, "collectives"))
        for (const auto& subset : wishes.subsets.empty() ? default_subsets(world) : wishes.subsets)
            for (const auto size_bytes : sizes_or(alltoall_sizes))
                plan.push_back({"alltoall", "mpi", subset, size_bytes, -1, -1});
    return plan;
}

std::vector<int> ranks_of(const Point& point, const Clusters& world) {
    if (point.probe == "pingpong")
        return {point.first_rank, point.second_rank};
    std::vector<int> ranks;
    for (int c = 0; c < point.clusters.count(); ++c)
        for (int i = 0; i < point.clusters.size(c); ++i)
            ranks.push_back(world.first(c) + i);
    return ranks;
}

std::string describe(const Point& point) {
    const auto size = format_size(static_cast<double>(point.size_bytes));
    if (point.probe == "pingpong")
        return fmt::format("pingpong {}-{}, {}", point.first_rank, point.second_rank, size);
    return fmt::format("{} n = {}, {}", point.probe, point.clusters.text(), size);
}

} // namespace alltold::measure

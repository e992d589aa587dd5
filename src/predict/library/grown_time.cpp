// SPDX-License-Identifier: BSD-3-Clause
// Measured calls of one algorithm, as points of its growth.
#include "predict/library/grown_time.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "network/network.hpp"
#include "predict/bounds/plausibility.hpp"
#include "predict/timing/simulation_cache.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_points = 2; // one says nothing of growth

std::vector<GrowthPoint> points_of(const Network& network, Collective collective,
                                   const Clusters& clusters, const std::string& algorithm) {
    std::vector<GrowthPoint> points;
    for (const auto& one : network.library)
        if (one.collective == collective && one.algorithm == algorithm &&
            one.clusters.count() == clusters.count() &&
            one.clusters.most_ranks_of_a_host() == clusters.most_ranks_of_a_host() &&
            one.time_s.value >= Growth::least_call_s)
            points.push_back({static_cast<double>(one.clusters.ranks()),
                              static_cast<double>(one.size_bytes), one.time_s.value});
    return points;
}

} // namespace

Result<CallTime> grown_time(const Network& network, Collective collective, const Clusters& clusters,
                            std::uint64_t size_bytes, const Choice& choice,
                            SimulationCache* simulations) {
    const auto algorithm = text_of(choice);
    auto points = points_of(network, collective, clusters, algorithm);
    if (points.size() < fewest_points)
        return refused(fmt::format(
            "{} was {} on {} with as many ranks per host, so its time is unknown", algorithm,
            points.empty() ? "not measured" : "measured at one call only",
            clusters.count() == 1 ? "one cluster" : fmt::format("{} clusters", clusters.count())));
    std::set<double> ranks;
    for (const auto& point : points)
        ranks.insert(point.ranks);
    const auto count = points.size();
    SimulationCache of_this_call;
    const auto& growth =
        (simulations ? *simulations : of_this_call)
            .growth(fmt::format("{} {} {}x{}", name_of(collective), algorithm, clusters.count(),
                                clusters.most_ranks_of_a_host()),
                    [&] { return Growth(collective, algorithm, std::move(points)); });
    CallTime time{.choice = choice};
    time.time_s = growth.at(clusters.ranks(), static_cast<double>(size_bytes));
    set_bound(time, Specification::of(collective, clusters.ranks(), 0, size_bytes), clusters,
              network);
    time.model = "growth";
    time.modelled.known = Known::grown;
    time.unseen_growth = ranks.size() == 1 && !ranks.contains(clusters.ranks());
    time.method = fmt::format("{} measured calls on {} number{} of ranks", count, ranks.size(),
                              ranks.size() == 1 ? "" : "s");
    return time;
}

} // namespace alltold

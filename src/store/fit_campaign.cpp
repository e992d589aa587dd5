// SPDX-License-Identifier: BSD-3-Clause
// Sorts points by what they say something about, and fits each kind.
#include "store/fit_campaign.hpp"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units.hpp"
#include "network/plogp_fit.hpp"
#include "store/fit_cluster.hpp"
#include "store/fit_congestion.hpp"
#include "store/fit_corrections.hpp"
#include "store/fit_library.hpp"
#include "store/fit_links.hpp"
#include "store/profile_rules.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_repetitions = 3;

/// Points by the fit they go into.
struct Sorted {
    std::vector<Series> local;
    std::vector<Series> wide;
    std::vector<Series> alltoall;
    PLogPSamples plogp;
    std::vector<std::string> left_out;

    /// Where a point of a pair within one cluster goes, or between two; null: nowhere.
    std::vector<Series>* of_pair(const Point& point, bool same_cluster) {
        if (point.probe == "pingpong")
            return same_cluster ? &local : &wide;
        const std::map<std::string, std::vector<Series>*> parts{
            {"plogp.send", &plogp.send},
            {"plogp.receive", &plogp.receive},
            {"plogp.gap", &plogp.gap},
            {"plogp.round_trip", &plogp.round_trip}};
        const auto part = parts.find(point.probe);
        return same_cluster && part != parts.end() ? part->second : nullptr;
    }
    bool has_plogp() const {
        return !(plogp.send.empty() && plogp.receive.empty() && plogp.gap.empty());
    }
};

std::string describe(const Point& point, std::size_t repetitions) {
    const auto who = point.first_rank >= 0
                         ? fmt::format("{}-{}", point.first_rank, point.second_rank)
                         : fmt::format("of {}", point.clusters.text());
    return fmt::format("{} {} at {} ({})", point.probe, who,
                       format_size(static_cast<double>(point.size_bytes)), repetitions);
}

Sorted sort_points(std::span<const PointSamples> points, const Clusters& clusters,
                   const FitRequest& request) {
    Sorted sorted;
    std::map<std::pair<int, int>, int> pairs;
    const auto is_rank = [&](int rank) { return rank >= 0 && rank < clusters.ranks(); };
    for (const auto& samples : points) {
        const Point& point = samples.point;
        if (request.held_out(point))
            continue;
        std::vector<Series>* kind = nullptr;
        Series series = samples.series();
        if (is_rank(point.first_rank) && is_rank(point.second_rank)) {
            kind = sorted.of_pair(point, clusters.cluster_of(point.first_rank) ==
                                             clusters.cluster_of(point.second_rank));
            const auto next = static_cast<int>(pairs.size());
            series.group =
                pairs.try_emplace({point.first_rank, point.second_rank}, next).first->second;
        } else if (point.probe == "alltoall" && point.algorithm == "mpi" &&
                   point.clusters.count() == 1) {
            kind = &sorted.alltoall;
        }
        if (!kind)
            continue;
        if (series.times_s.size() < fewest_repetitions)
            sorted.left_out.push_back(describe(point, series.times_s.size()));
        else
            kind->push_back(std::move(series));
    }
    return sorted;
}

void fit_curves(Profile& profile, const PLogPSamples& samples, std::uint64_t seed) {
    auto fit = fit_plogp(samples, seed);
    if (!fit) {
        profile.refused.push_back({"plogp", fit.error().message});
        return;
    }
    profile.plogp = std::move(fit->network);
    for (auto& why : fit->refused)
        profile.refused.push_back({"plogp", std::move(why)});
}

void fit_alltoall(Profile& profile, std::span<const Series> series, std::uint64_t seed) {
    if (!profile.local) {
        profile.refused.push_back(
            {"alltoall", "the signature needs alpha and beta within the cluster, which could "
                         "not be fitted"});
        return;
    }
    if (series.empty()) {
        profile.refused.push_back({"alltoall",
                                   "no all-to-all of the MPI library within one cluster "
                                   "was measured, or all of them are held out"});
        return;
    }
    auto fit = fit_signature(series, *profile.local, seed);
    if (fit)
        profile.alltoall = std::move(*fit);
    else
        profile.refused.push_back({"alltoall", fit.error().message});
}

} // namespace

Profile fit_points(std::span<const PointSamples> points, const Provenance& provenance,
                   const FitRequest& request) {
    Profile profile;
    profile.name = request.name;
    profile.source = request.source;
    profile.provenance = provenance;
    const auto sorted = sort_points(points, provenance.clusters, request);
    const auto fit_pairs = [&](const char* what, std::span<const Series> series,
                               std::optional<HockneyFit>& into) {
        if (auto fit = fit_hockney(series, request.seed))
            into = std::move(*fit);
        else
            profile.refused.push_back({what, fit.error().message});
    };
    fit_pairs("local", sorted.local, profile.local);
    if (provenance.clusters.count() > 1)
        fit_pairs("wide", sorted.wide, profile.wide);
    // A campaign that never looked for pLogP is not refused it.
    if (sorted.has_plogp())
        fit_curves(profile, sorted.plogp, request.seed);
    fit_links(profile, points, request);
    fit_cluster(profile, points, request);
    fit_alltoall(profile, sorted.alltoall, request.seed);
    fit_congestion(profile, points, request);
    profile.library = library_times(points, request);
    fit_corrections(profile, points, request);
    if (!sorted.left_out.empty())
        profile.refused.push_back(
            {"points", fmt::format("ignored because of fewer than {} repetitions: {}",
                                   fewest_repetitions, fmt::join(sorted.left_out, ", "))});
    return profile;
}

Result<Profile> fit_campaign(const Campaign& campaign, const FitRequest& request) {
    const auto provenance = campaign.provenance();
    if (!provenance)
        return provenance.error();
    auto points = campaign.points();
    if (!points)
        return points.error();
    std::erase_if(*points,
                  [&](const PointSamples& samples) { return request.held_out(samples.point); });
    auto profile = fit_points(*points, *provenance, request);
    make_rules(profile, *points);
    return profile;
}

} // namespace alltold

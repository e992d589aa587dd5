// SPDX-License-Identifier: BSD-3-Clause
// All single times of the library's all-to-all, with what the wire allows them.
#include "store/fit_congestion.hpp"

#include "predict/congestion_prediction.hpp"
#include "store/sampled.hpp"

namespace alltold {
namespace {

constexpr std::size_t fewest_repetitions = 3;

/// Nothing where nothing was measured that it could be fitted to.
Result<std::optional<CongestionFit>>
fit(const Profile& profile, std::span<const PointSamples> points, const FitRequest& request) {
    const auto network = profile.network();
    const int clusters = profile.provenance.clusters.count();
    std::vector<CongestedSeries> measured;
    for (const auto* samples : sampled(points, "alltoall", request)) {
        const auto& point = samples->point;
        auto times_s = samples->series().times_s;
        if (point.algorithm != "mpi" || point.clusters.count() != clusters || point.n() < 2 ||
            times_s.size() < fewest_repetitions)
            continue;
        const auto call =
            congested_call(network, point.clusters, static_cast<double>(point.size_bytes));
        if (!call)
            return call.error();
        measured.push_back({*call, std::move(times_s)});
    }
    if (measured.empty())
        return std::optional<CongestionFit>();
    CongestionPrior prior;
    prior.one_cluster = clusters == 1;
    if (prior.one_cluster && !profile.local)
        return refused("alpha and beta are unknown, which are needed to compare the papers' models "
                       "with it");
    if (profile.local)
        prior.network = *profile.local;
    if (profile.links) {
        prior.buffer_bytes = profile.links->port.queue_bytes;
        prior.timeout_s = profile.links->timeout_s;
    }
    auto fitted = fit_congestion(measured, prior);
    if (!fitted)
        return fitted.error();
    fitted->clusters = clusters;
    return std::optional(std::move(*fitted));
}

} // namespace

void fit_congestion(Profile& profile, std::span<const PointSamples> points,
                    const FitRequest& request) {
    // A campaign of several clusters that never looked for links is not refused it.
    if (profile.provenance.clusters.count() > 1 && !profile.links)
        return;
    auto fitted = fit(profile, points, request);
    if (fitted)
        profile.congestion = std::move(*fitted);
    else
        profile.refused.push_back({"congestion", fitted.error().message});
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// All single times of the library's all-to-all, with what the wire allows them.
#include "network/fitting.hpp"

#include "network/congestion/congestion_prediction.hpp"

namespace alltold {
namespace {

/// Nothing where nothing was measured that it could be fitted to.
Result<std::optional<CongestionFit>> fit(const Fitting& fitting) {
    const auto& network = fitting.network;
    const int clusters = fitting.clusters.count();
    std::vector<CongestedSeries> measured;
    for (const auto* samples : fitting.sampled("alltoall")) {
        const auto& point = samples->point;
        auto times_s = samples->series().times_s;
        if (point.algorithm != "mpi" || point.clusters.count() != clusters ||
            !point.clusters.one_rank_per_host() || point.n() < 2 ||
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
    if (prior.one_cluster && !network.local)
        return refused("alpha and beta are unknown, which are needed to compare the papers' models "
                       "with it");
    if (network.local)
        prior.network = *network.local;
    if (network.links) {
        prior.buffer_bytes = network.links->port.queue_bytes;
        prior.timeout_s = network.links->timeout_s;
    }
    auto fitted = fit_congestion(measured, prior);
    if (!fitted)
        return fitted.error();
    fitted->clusters = clusters;
    return std::optional(std::move(*fitted));
}

} // namespace

/// Sets the network's CongestionFit from all process counts measured on as many clusters as there
/// are, or refuses it. The rates and the switch buffer are the network's, so that these must have
/// been fitted before.
void fit_alltoalls(Fitting& fitting) {
    // A campaign of several clusters that never looked for links is not refused it.
    if (fitting.clusters.count() > 1 && !fitting.network.links)
        return;
    auto fitted = fit(fitting);
    if (!fitted)
        fitting.refuse("congestion", fitted.error().message);
    else if (*fitted)
        fitting.network.set(std::move(**fitted));
}

} // namespace alltold

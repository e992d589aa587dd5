// SPDX-License-Identifier: BSD-3-Clause
// All single times of the library's all-to-all, with what the wire allows them.
#include "network/fitting.hpp"

#include "network/congestion/congestion_prediction.hpp"
#include "network/cost_model.hpp"
#include "network/not_compared.hpp"
#include "network/smt/library_time.hpp"

namespace alltold {
namespace {

/// The models of one cluster that SMT equation 6 can put into several, as far as their parameters
/// are known: these come from ping-pongs and from all-to-alls within the clusters.
std::vector<PaperTime> by_equation_6(const Network& network, const Clusters& clusters,
                                     double size_bytes) {
    std::vector<PaperTime> times;
    if (clusters.count() == 1 || !network.inter_cluster)
        return times;
    for (const auto* model : cost_models())
        if (model->library_in_cluster && model->lacks(network).empty())
            times.push_back(
                {model->name,
                 library_time_by_clusters(network, clusters, size_bytes, *model).value});
    return times;
}

void note_not_compared(Fitting& fitting) {
    std::vector<NotCompared> models;
    for (const auto* model : cost_models())
        if (const auto lacking = !model->library_in_cluster ? ""
                                 : !fitting.network.inter_cluster
                                     ? "alpha and beta between clusters"
                                     : model->lacks(fitting.network);
            !lacking.empty())
            models.push_back({model->name, "lacks " + lacking});
    if (!models.empty())
        fitting.note("models not compared with congestion", text_of(models));
}

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
        const auto size_bytes = static_cast<double>(point.size_bytes);
        const auto call = congested_call(network, point.clusters, size_bytes);
        if (!call)
            return call.error();
        measured.push_back(
            {*call, std::move(times_s), by_equation_6(network, point.clusters, size_bytes)});
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
/// been fitted before, and so must what SMT equation 6 puts into several clusters.
void fit_alltoalls(Fitting& fitting) {
    // A campaign of several clusters that never looked for links is not refused it.
    if (fitting.clusters.count() > 1 && !fitting.network.links)
        return;
    auto fitted = fit(fitting);
    if (!fitted)
        fitting.refuse("congestion", fitted.error().message);
    else if (*fitted) {
        if ((*fitted)->clusters > 1)
            note_not_compared(fitting);
        fitting.network.congestion = std::move(**fitted);
    }
}

} // namespace alltold

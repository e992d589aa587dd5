// SPDX-License-Identifier: BSD-3-Clause
#include "predict/library/alltoall_prediction.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/capacity.hpp"
#include "network/smt.hpp"
#include "predict/bounds/plausibility.hpp"

namespace alltold {
namespace {

/// Fails where a parameter the model reads is not in the profile.
Status check_parameters(const Network& network, const Clusters& clusters, const CostModel& model) {
    if (!unfit_for_hosts(model, clusters).empty())
        return bad_input(fmt::format(
            "models of the MPI library's all-to-all know one rank per host only, but hosts of {} "
            "have several; measure it there, or try --algorithm all --model links",
            clusters.text()));
    if (!network.local && !network.alltoall)
        return bad_input("has neither alpha and beta nor a signature, which the MPI library's "
                         "all-to-all needs; try --algorithm all");
    if (const auto lacking = model.lacks(network); !lacking.empty())
        return bad_input(fmt::format("lacks {}, which model '{}' needs; try --model linear",
                                     lacking, model.name));
    if (clusters.count() > 1 && !network.inter_cluster)
        return bad_input(fmt::format(
            "has no alpha and beta between clusters, which clusters {} need", clusters.text()));
    if (const auto reason = model.unfit ? model.unfit(network, clusters, "mpi") : std::string();
        !reason.empty())
        return bad_input(reason);
    return Done{};
}

/// alpha and beta, each of the faster of the two networks, since only part of the messages cross.
Hockney fastest(const Network& network, const Clusters& clusters) {
    const auto local = local_network(network).model();
    if (clusters.count() == 1)
        return local;
    const auto between = network.inter_cluster->model();
    return {std::min(local.alpha_s, between.alpha_s),
            std::min(local.beta_s_per_byte, between.beta_s_per_byte)};
}

/// The library's time, multiplied by the half_duplex_factor of the network's start.
Estimate after_start(const Estimate& time_s, const Network& network, double size_bytes) {
    const auto factor = half_duplex_factor(network, size_bytes);
    return {factor.value * time_s.value, factor.low * time_s.low, factor.high * time_s.high};
}

/// The largest median of a model's relative errors on calls that it was not fitted to: of the runs
/// within clusters, and of all calls on as many clusters. 0 if none is known.
double held_out_error(const Network& network, const Clusters& clusters, std::string_view model) {
    double most = 0;
    const auto look_in = [&](const std::vector<ModelError>& models) {
        for (const auto& of : models)
            if (of.name == model)
                most = std::max(most, of.leave_one_out);
    };
    if (network.alltoall)
        look_in(network.alltoall->models);
    if (const auto& fit = network.congestion; fit && fit->clusters == clusters.count())
        look_in(fit->models);
    return most;
}

/// With the model's own error, the median of whose size is `error`: log-normal.
Estimate with_model_error(const Estimate& time_s, double error) {
    if (!(error > 0) || !(time_s.value > 0))
        return time_s;
    const double reach = normal_quantile(0.975) / normal_quantile(0.75) * std::log1p(error);
    const auto ratio = [&](double end_s) {
        return std::exp(std::hypot(std::log(end_s / time_s.value), reach));
    };
    return {time_s.value, time_s.value / ratio(time_s.low), time_s.value * ratio(time_s.high)};
}

} // namespace

Result<CallTime> predict_alltoall(const Network& network, const Clusters& clusters,
                                  double size_bytes, const CostModel& model) {
    ALLTOLD_TRY_DONE(check_parameters(network, clusters, model));
    CallTime prediction;
    prediction.model = model.name;
    prediction.modelled.known = Known::equation;
    const int n = clusters.ranks();
    prediction.proposition_1_s = linear_time_s(fastest(network, clusters), n, size_bytes);
    set_bound(prediction,
              Specification::of(Collective::alltoall, n, 0, static_cast<std::uint64_t>(size_bytes)),
              clusters, network);
    const double bound_s = prediction.certain_bound_s();
    ALLTOLD_TRY(time_s, model.library
                            ? model.library(network, clusters, size_bytes)
                            : library_time_by_clusters(network, clusters, size_bytes, model));
    prediction.time_s =
        model.library ? *time_s
                      : with_model_error(*time_s, held_out_error(network, clusters, model.name));
    prediction.time_s.low = std::max(prediction.time_s.low, bound_s / bounds_known);
    if (time_s->value < bound_s) {
        prediction.time_s = not_below(prediction.time_s, bound_s);
        prediction.caveats.push_back(fmt::format(
            "model '{}' gives only {}, because it does not know all links; the time is the bound",
            model.name, format_time(time_s->value)));
    }
    prediction.time_s = after_start(prediction.time_s, network, size_bytes);
    if (const auto factor = half_duplex_factor(network, size_bytes); factor.value > 1)
        prediction.caveats.push_back(
            fmt::format("{:.2f} times what the model says, since right after a barrier pairs of "
                        "ranks that exchange by rendezvous send one way at a time",
                        factor.value));
    if (model.library_caveats)
        for (auto& caveat : model.library_caveats(network, clusters, size_bytes))
            prediction.caveats.push_back(std::move(caveat));
    if (model.library)
        return prediction;
    if (clusters.count() > 1)
        prediction.caveats.emplace_back("SMT equation 6 knows no contention between the clusters; "
                                        "its authors report that it fails for the plain exchange");
    if (!network.assumed.empty())
        prediction.caveats.push_back("assumed: " + network.assumed);
    return prediction;
}

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
#include "predict/library/library_prediction.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "network/capacity.hpp"
#include "network/smt.hpp"
#include "predict/bounds/plausibility.hpp"
#include "predict/library/counterparts.hpp"
#include "predict/library/library_defaults.hpp"
#include "predict/parameters/parameter_search.hpp"
#include "predict/parameters/resolve.hpp"
#include "predict/predict_algorithm.hpp"

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

namespace {

/// What the library runs by default, as the algorithm of alltold's that comes nearest.
struct DefaultRun {
    std::string name; ///< the library's
    Choice nearest;
};

Result<DefaultRun> default_run(MpiLibrary library, Collective collective, int ranks,
                               std::uint64_t size_bytes) {
    const auto name = default_algorithm(library, collective, ranks, size_bytes);
    if (!name)
        return refused("it is not known which algorithm the MPI library runs here");
    auto near = nearest(library, collective, *name, ranks, size_bytes);
    if (!near)
        return refused(fmt::format("no algorithm of alltold's comes near the MPI library's {}, "
                                   "which it runs here",
                                   *name));
    return DefaultRun{std::string(*name), std::move(*near)};
}

/// What the model says of the call if it loses none of its packets.
ModelTime without_losses(ModelTime modelled) {
    modelled.time_s.value -= modelled.timeouts_s.value;
    modelled.timeouts_s = {};
    modelled.timeout_sd = modelled.overflow_bytes = 0;
    modelled.may_lose = false;
    return modelled;
}

/// A call's prediction by its baseline: `time_of` the call's traits, but not below the bound.
template <typename TimeOf>
CallTime of_baseline(const Network& network, Collective collective, const Clusters& clusters,
                     std::uint64_t size_bytes, const ModelTime& modelled, TimeOf time_of) {
    CallTime prediction;
    set_bound(prediction, Specification::of(collective, clusters.ranks(), 0, size_bytes), clusters,
              network);
    prediction.traits = traits_of(nullptr, {}, clusters.ranks(), size_bytes, modelled);
    prediction.time_s = not_below(time_of(prediction.traits), prediction.certain_bound_s());
    prediction.modelled = modelled;
    return prediction;
}

/// Without measured calls: the model's time of what the library runs by default, with the interval
/// that a correction gives far from all that it was learned from.
Result<CallTime> uncorrected(const Network& network, Collective collective,
                             const Clusters& clusters, std::uint64_t size_bytes,
                             SimulationCache* simulations) {
    const auto where = CorrectedCalls::on(clusters, {collective}, true).where();
    const auto runs = default_run(network.defaults_of, collective, clusters.ranks(), size_bytes);
    if (!runs)
        return refused(fmt::format("the MPI library's own {} was not measured on {}",
                                   name_of(collective), where));
    const auto& nearest = *runs->nearest.algorithm;
    ALLTOLD_TRY(model,
                preferred_model(network, clusters, nearest.name, static_cast<double>(size_bytes)));
    ALLTOLD_TRY(modelled, baseline_time(network, {*model, nullptr, true}, collective, clusters,
                                        size_bytes, simulations));
    auto prediction =
        of_baseline(network, collective, clusters, size_bytes, *modelled, [&](const auto& traits) {
            return Residual({}, {}).at(traits).of(traits.modelled_s, student_reach);
        });
    prediction.model = fmt::format("its default, {}, on {}", runs->name, (*model)->name);
    auto lost = lost_correction_text(network, collective, clusters, true);
    prediction.caveats.push_back(fmt::format(
        "{}the time is that of {}, which comes nearest to what it runs by default, and the "
        "interval what models are usually wrong by",
        lost.empty() ? fmt::format("no {} of the MPI library was measured on {}: ",
                                   name_of(collective), where)
                     : "",
        nearest.name));
    if (!lost.empty())
        prediction.caveats.push_back(std::move(lost));
    return prediction;
}

} // namespace

bool library_known(const Network& network, Collective collective, const Clusters& clusters,
                   std::uint64_t size_bytes) {
    constexpr double beyond = 2;
    double least_bytes = INFINITY, most_bytes = 0, lowest_n = INFINITY, highest_n = 0;
    const auto see = [&](const Clusters& measured, std::uint64_t measured_bytes) {
        const auto bytes = static_cast<double>(std::max<std::uint64_t>(measured_bytes, 1));
        least_bytes = std::min(least_bytes, bytes);
        most_bytes = std::max(most_bytes, bytes);
        lowest_n = std::min<double>(lowest_n, measured.ranks());
        highest_n = std::max<double>(highest_n, measured.ranks());
    };
    if (const auto* correction = correction_of(network, collective, clusters, true))
        for (const auto& call : correction->calls())
            see(call.clusters, call.size_bytes);
    for (const auto& one : network.library)
        if (one.algorithm == "mpi" && one.collective == collective &&
            one.clusters.count() == clusters.count() &&
            one.clusters.most_ranks_of_a_host() == clusters.most_ranks_of_a_host())
            see(one.clusters, one.size_bytes);
    const auto bytes = static_cast<double>(std::max<std::uint64_t>(size_bytes, 1));
    return bytes * beyond >= least_bytes && bytes <= beyond * most_bytes &&
           clusters.ranks() * beyond >= lowest_n && clusters.ranks() <= beyond * highest_n;
}

Result<ModelTime> baseline_time(const Network& network, const Baseline& baseline,
                                Collective collective, const Clusters& clusters,
                                std::uint64_t size_bytes, SimulationCache* simulations) {
    const bool rendezvous = by_rendezvous(network, {}, size_bytes);
    if (!baseline.resembles && !baseline.by_defaults) {
        const auto predicted =
            predict_alltoall(network, clusters, static_cast<double>(size_bytes), *baseline.model);
        return predicted ? Result(ModelTime{.time_s = Estimate::exact(predicted->time_s.value),
                                            .rendezvous = rendezvous,
                                            .known = Known::equation})
                         : Result<ModelTime>(predicted.error());
    }
    const auto specification = Specification::of(collective, clusters.ranks(), 0, size_bytes);
    const Effort effort{.most_messages = most_estimated_messages,
                        .estimate = true,
                        .value_only = true,
                        .simulations = simulations,
                        .corrected = false};
    const auto modelled = [&](const auto& predicted, std::string name) -> Result<ModelTime> {
        if (!predicted)
            return predicted.error();
        const double factor =
            collective == Collective::alltoall
                ? half_duplex_factor(network, static_cast<double>(size_bytes)).value
                : 1;
        auto time = predicted->modelled;
        for (auto* seconds : {&time.time_s, &time.timeouts_s})
            *seconds = {factor * seconds->value, factor * seconds->low, factor * seconds->high};
        time.rendezvous = rendezvous;
        time.runs = std::move(name);
        return time;
    };
    if (!baseline.by_defaults)
        return modelled(predict_algorithm(network, *baseline.resembles, specification, clusters, {},
                                          *baseline.model, effort),
                        "");
    ALLTOLD_TRY(runs, default_run(network.defaults_of, collective, clusters.ranks(), size_bytes));
    return modelled(predict_as_given(network, *runs->nearest.algorithm, specification, clusters,
                                     runs->nearest.parameters, *baseline.model, effort),
                    runs->name);
}

std::vector<Baseline> library_baselines(const Network& network, Collective collective,
                                        const Clusters& clusters) {
    std::vector<Baseline> baselines;
    for (const auto* algorithm : registry()) {
        if (algorithm->collective != collective || algorithm->takes_clusters())
            continue;
        const auto model = preferred_model(network, clusters, algorithm->name,
                                           static_cast<double>(long_block_bytes));
        if (model && (*model)->simulated)
            baselines.push_back({*model, algorithm});
    }
    if (network.defaults_of != MpiLibrary::other)
        for (const auto* model : cost_models())
            if (std::ranges::find(baselines, model, &Baseline::model) != baselines.end())
                baselines.push_back({model, nullptr, true});
    const auto linear = library_model("linear");
    if (collective == Collective::alltoall && linear && (*linear)->lacks(network).empty())
        baselines.push_back({*linear});
    return baselines;
}

Result<CallTime> predict_library(const Network& network, Collective collective,
                                 const Clusters& clusters, std::uint64_t size_bytes,
                                 SimulationCache* simulations) {
    const auto* correction = correction_of(network, collective, clusters, true);
    if (!correction) {
        if (collective == Collective::alltoall && clusters.one_rank_per_host())
            return predict_alltoall(network, clusters, static_cast<double>(size_bytes),
                                    preferred_library_model(network, clusters));
        return uncorrected(network, collective, clusters, size_bytes, simulations);
    }
    ALLTOLD_TRY(modelled, baseline_time(network, correction->baseline(), collective, clusters,
                                        size_bytes, simulations));
    auto prediction = of_baseline(network, collective, clusters, size_bytes, *modelled,
                                  [&](const auto& traits) { return correction->time_s(traits); });
    prediction.correction = correction;
    if (modelled->may_lose)
        prediction.lossless_s =
            not_below(correction->time_s(traits_of(nullptr, {}, clusters.ranks(), size_bytes,
                                                   without_losses(*modelled))),
                      prediction.certain_bound_s());
    const auto& baseline = correction->baseline();
    prediction.model =
        fmt::format("{}, corrected by {} measurements",
                    baseline.by_defaults ? fmt::format("its default, {}, on {}", modelled->runs,
                                                       baseline.model->name)
                                         : baseline.text(),
                    correction->calls().size());
    return prediction;
}

} // namespace alltold

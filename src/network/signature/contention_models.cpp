// SPDX-License-Identifier: BSD-3-Clause
// The library's all-to-all by the papers' models with which the signature is compared; all but
// those without parameters are fitted beside it.
#include "network/hockney/hockney_time.hpp"
#include "network/plogp/alltoall_bounds.hpp"
#include "network/signature/signature_problem.hpp"
#include "network/signature/signature_time.hpp"

namespace alltold {
namespace {

/// Equation 4's own least squares where they are known: with delta, gamma is another.
const Estimate& gamma_of(const SignatureFit& fit) {
    const auto without_delta = fit.papers.find("gamma");
    return without_delta == fit.papers.end() ? fit.gamma : without_delta->second;
}

Estimate gamma_time(const Network& network, int cluster, int n, double size_bytes) {
    const auto& fit = network.signature_in(cluster);
    const auto time_s = [&](double gamma) {
        return contention_ratio_time_s(fit.network, gamma, n, size_bytes);
    };
    const auto& gamma = gamma_of(fit);
    return {time_s(gamma.value), time_s(gamma.low), time_s(gamma.high)};
}

std::vector<std::string> gamma_caveats(const Network& network, const Clusters& clusters,
                                       double size_bytes) {
    auto all = signature_caveats(network, clusters, size_bytes);
    if (!network.alltoall->papers.contains("gamma") && network.alltoall->delta_s.value > 0)
        all.emplace_back("gamma was fitted together with delta, which equation 4 leaves out");
    return all;
}

/// The slow-down of a run, at least 1, by its weights.
double fit_slowdown(const AlltoallRun& run) {
    const Eigen::VectorXd without_contention_s = run.bytes_s().array() + run.network.alpha_s;
    return std::max(1.0, run.fit.factor(run.message_s(), without_contention_s));
}

/// Messages from some size on pay a latency more; gamma is 1.
PaperParameters fit_latency(const AlltoallRun& run) {
    const auto step = signature_of(run.fit.step_alone(run.excess_s - run.bytes_s()), run);
    return {{"latency_s", Estimate::exact(step.delta_s)},
            {"latency_from_bytes", Estimate::exact(step.threshold_bytes)}};
}

double latency_time_s(const PaperParameters& parameters, const Hockney& network, const PLogP*,
                      int n, double size_bytes) {
    return alltoall_time_s(
        network, {1, parameters.at("latency_s").value, parameters.at("latency_from_bytes").value},
        n, size_bytes);
}

/// Weighs what lies between the bounds by the run's weights; 0 where nothing does, and where pLogP
/// is not known.
double gamma_between(const AlltoallRun& run) {
    if (!run.plogp)
        return 0;
    Eigen::VectorXd above_s = run.message_s(), between_s(above_s.size());
    for (Eigen::Index i = 0; i < above_s.size(); ++i) {
        const double m = run.fit.sizes()[static_cast<std::size_t>(i)];
        const double lower_s = alltoall::lower_s(*run.plogp, run.n, m) / (run.n - 1);
        above_s(i) -= lower_s;
        between_s(i) = alltoall::upper_s(*run.plogp, run.n, m) / (run.n - 1) - lower_s;
    }
    return between_s.squaredNorm() > 0 ? std::max(0.0, run.fit.factor(above_s, between_s)) : 0;
}

} // namespace

namespace models {
extern const CostModel linear{
    .name = "linear",
    .source = "SMT07 equation 1",
    .help = "the library's alltoall without contention, (n-1)(alpha + m beta)",
    .lacks = lacks_alpha_and_beta,
    .library_in_cluster = hockney_time<linear_time_s>,
    .contention =
        ContentionModel{
            .time_s = [](const PaperParameters&, const Hockney& network, const PLogP*, int n,
                         double size_bytes) { return linear_time_s(network, n, size_bytes); }},
};

extern const CostModel gamma{
    .name = "gamma",
    .source = "SMT07 equation 4",
    .help = "the library's alltoall with only a contention ratio, fitted without delta",
    .lacks = lacks_signature,
    .library_in_cluster = gamma_time,
    .library_caveats = gamma_caveats,
    // The interval comes from the signature's bootstrap, which needs this gamma too.
    .contention = ContentionModel{
        .parameters = {{"gamma", from_one, true}},
        .fit = [](const AlltoallRun& run) -> PaperParameters {
            return {{"gamma",
                     Estimate::exact(std::max(1.0, run.fit.factor(run.excess_s, run.bytes_s())))}};
        },
        .time_s =
            [](const PaperParameters& parameters, const Hockney& network, const PLogP*, int n,
               double size_bytes) {
                return contention_ratio_time_s(network, parameters.at("gamma").value, n,
                                               size_bytes);
            }},
};

extern const CostModel slowdown{
    .name = "slowdown",
    .source = "SMT07 section 2, after Bruck et al. 1997",
    .help = "the library's alltoall with start-ups and bytes slowed down alike",
    .lacks = lacks_contention<slowdown>,
    .library_in_cluster = contention_time<slowdown>,
    .library_caveats = signature_caveats,
    .contention = ContentionModel{
        .parameters = {{"slowdown", from_one}},
        .fit = [](const AlltoallRun& run) -> PaperParameters {
            return {{"slowdown", Estimate::exact(fit_slowdown(run))}};
        },
        .time_s =
            [](const PaperParameters& parameters, const Hockney& network, const PLogP*, int n,
               double size_bytes) {
                return slowdown_time_s(network, parameters.at("slowdown").value, n, size_bytes);
            }},
};

extern const CostModel waves{
    .name = "waves",
    .source = "SMT07 section 2, after Labarta et al. 1996",
    .help = "the library's alltoall in waves over as many buses as fit",
    .lacks = lacks_contention<waves>,
    .library_in_cluster = contention_time<waves>,
    .library_caveats = signature_caveats,
    .contention = ContentionModel{
        .parameters = {{"buses", from_one}},
        // n(n-1)/b waves are n-1 messages one after the other, stretched by n/b.
        .fit = [](const AlltoallRun& run) -> PaperParameters {
            return {
                {"buses", Estimate::exact(std::max(1.0, std::round(run.n / fit_slowdown(run))))}};
        },
        .time_s =
            [](const PaperParameters& parameters, const Hockney& network, const PLogP*, int n,
               double size_bytes) {
                return waves_time_s(network, parameters.at("buses").value, n, size_bytes);
            }},
};

extern const CostModel latency{
    .name = "latency",
    .source = "SMT07 section 2, after Chun 2001",
    .help = "the library's alltoall with contention as a latency that steps with the size",
    .lacks = lacks_contention<latency>,
    .library_in_cluster = contention_time<latency>,
    .library_caveats = signature_caveats,
    .contention = ContentionModel{.parameters = {{"latency_s", in_seconds, false, 0},
                                                 {"latency_from_bytes", in_bytes, false, 0}},
                                  .fit = fit_latency,
                                  .time_s = latency_time_s},
};

extern const CostModel bm04{
    .name = "bm04",
    .source = "BM04 section 5.1",
    .help = "the library's alltoall between pLogP's two bounds, by a gamma of its own",
    .lacks = [](const Network& network) -> std::string {
        if (auto lacking = lacks_contention<bm04>(network); !lacking.empty())
            return lacking;
        return network.plogp && network.alltoall->papers.at("bm04_gamma").value > 0
                   ? ""
                   : "pLogP with a gamma between its bounds";
    },
    .library_in_cluster = contention_time<bm04>,
    .library_caveats = signature_caveats,
    .contention =
        ContentionModel{.parameters = {{"bm04_gamma", from_zero, false, 0}},
                        .fit = [](const AlltoallRun& run) -> PaperParameters {
                            return {{"bm04_gamma", Estimate::exact(gamma_between(run))}};
                        },
                        .time_s =
                            [](const PaperParameters& parameters, const Hockney&,
                               const PLogP* plogp, int n, double size_bytes) {
                                return alltoall::between_s(*plogp, n, size_bytes,
                                                           parameters.at("bm04_gamma").value);
                            },
                        .needs_plogp = true},
};

extern const CostModel clement{
    .name = "clement",
    .source = "SMT07 equation 3",
    .help = "the library's alltoall on a shared medium, alpha + m n beta",
    .lacks = lacks_alpha_and_beta,
    .library_in_cluster = hockney_time<clement_time_s>,
    .contention =
        ContentionModel{
            .time_s = [](const PaperParameters&, const Hockney& network, const PLogP*, int n,
                         double size_bytes) { return clement_time_s(network, n, size_bytes); }},
};
} // namespace models

PaperModels fit_paper_models(const AlltoallRun& run) {
    PaperModels models{signature_of(run.fit.choose(run.excess_s, run.network.beta_s_per_byte), run),
                       {}};
    for (const auto* model : cost_models())
        if (model->contention && model->contention->fit)
            models.parameters.merge(model->contention->fit(run));
    return models;
}

PaperModels unfitted_paper_models() {
    PaperModels models;
    for (const auto* model : cost_models())
        if (model->contention)
            for (const auto& parameter : model->contention->parameters)
                models.parameters.emplace(parameter.key, Estimate::exact(parameter.unfitted));
    return models;
}

std::vector<PaperTime> paper_times_s(const PaperModels& models, const Hockney& network,
                                     const PLogP* plogp, int n, double size_bytes) {
    std::vector<PaperTime> times{
        {"signature", alltoall_time_s(network, models.signature, n, size_bytes)}};
    for (const auto* model : cost_models())
        if (model->contention && (plogp || !model->contention->needs_plogp))
            times.push_back({model->name, model->contention->time_s(models.parameters, network,
                                                                    plogp, n, size_bytes)});
    return times;
}

} // namespace alltold

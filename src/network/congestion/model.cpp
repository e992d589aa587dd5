// SPDX-License-Identifier: BSD-3-Clause
// The model of congestion as a fit found it.
#include <fmt/format.h>

#include "network/congestion/congestion_prediction.hpp"
#include "network/cost_model.hpp"
#include "network/fitting.hpp"
#include "network/json/fields.hpp"
#include "network/smt.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

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

/// In the order of the terms of CongestionForm.
std::vector<std::string> names_of(const CongestionForm& form) {
    std::vector<std::string> names{"start_s"};
    if (form.per_process)
        names.emplace_back("per_process_s");
    names.emplace_back("wire_factor");
    if (form.slows)
        names.emplace_back("slow_down");
    if (form.falling)
        names.emplace_back("slow_down_over_peers");
    return names;
}

/// Below M, and from M on.
ordered_json regime_to_json(const CongestionFit& fit, int slow) {
    return {{"spread", fit.spread[slow]},
            {"model_error", fit.model_error[slow]},
            {"timeouts_seen", fit.timeouts[slow].seen},
            {"messages_exposed", fit.timeouts[slow].exposed}};
}

void read_regime(CongestionFit& fit, int slow, JsonCursor at) {
    fit.spread[slow] = at.member("spread").number(above_zero);
    fit.model_error[slow] = at.member("model_error").number(above_zero);
    fit.timeouts[slow] = {at.member("timeouts_seen").number(from_zero),
                          at.member("messages_exposed").number(from_zero)};
    at.only({"spread", "model_error", "timeouts_seen", "messages_exposed"});
}

void read_terms(CongestionFit& fit, JsonCursor at) {
    fit.form.per_process = at.optional_member("per_process_s").has_value();
    fit.form.slows = at.optional_member("slow_down").has_value();
    fit.form.falling = at.optional_member("slow_down_over_peers").has_value();
    const auto names = names_of(fit.form);
    for (const auto& name : names)
        fit.coefficients.push_back(at.member(name).number(any_number));
    at.only(names);
}

void read_covariance(CongestionFit& fit, JsonCursor at) {
    const auto terms = static_cast<std::size_t>(fit.form.terms());
    auto rows = at.items();
    if (rows.size() != terms)
        return at.complain(fmt::format("expected {} rows, one per term", terms));
    for (auto& row : rows) {
        auto cells = row.items();
        if (cells.size() != terms)
            return row.complain(fmt::format("expected {} numbers, one per term", terms));
        for (auto& covariances = fit.covariance.emplace_back(); auto& cell : cells)
            covariances.push_back(cell.number(any_number));
    }
}

ordered_json to_json(const CongestionFit& fit) {
    ordered_json terms;
    auto coefficient = fit.coefficients.begin();
    for (const auto& name : names_of(fit.form))
        terms[name] = *coefficient++;
    auto fitted = ordered_json::array();
    for (const auto& [n, size_bytes] : fit.fitted)
        fitted.push_back({{"n", n}, {"size_bytes", size_bytes}});
    return {{"clusters", fit.clusters},
            {"terms", terms},
            {"covariance", fit.covariance},
            {"threshold_bytes", to_json(fit.threshold_bytes)},
            {"below_threshold", regime_to_json(fit, 0)},
            {"above_threshold", regime_to_json(fit, 1)},
            {"least_over_wire", fit.least_over_wire},
            {"buffer_bytes", fit.buffer_bytes},
            {"timeout_s", to_json(fit.timeout_s)},
            {"smallest_n", fit.smallest_n},
            {"largest_n", fit.largest_n},
            {"smallest_bytes", fit.smallest_bytes},
            {"largest_bytes", fit.largest_bytes},
            {"fitted", fitted},
            {"models", to_json(fit.models)}};
}

CongestionFit read_congestion(JsonCursor at) {
    CongestionFit fit;
    fit.clusters = at.member("clusters").whole_number(1);
    read_terms(fit, at.member("terms"));
    read_covariance(fit, at.member("covariance"));
    fit.threshold_bytes = read_estimate(at.member("threshold_bytes"), in_bytes);
    read_regime(fit, 0, at.member("below_threshold"));
    read_regime(fit, 1, at.member("above_threshold"));
    fit.least_over_wire = at.member("least_over_wire").number(above_zero);
    fit.buffer_bytes = at.member("buffer_bytes").number(in_bytes);
    fit.timeout_s = read_estimate(at.member("timeout_s"), in_seconds);
    fit.smallest_n = at.member("smallest_n").whole_number(2);
    fit.largest_n = at.member("largest_n").whole_number(fit.smallest_n);
    fit.smallest_bytes = at.member("smallest_bytes").number(in_bytes);
    fit.largest_bytes = at.member("largest_bytes").number({"bytes", fit.smallest_bytes});
    for (auto point : at.member("fitted").items()) {
        fit.fitted.push_back(
            {point.member("n").whole_number(2), point.member("size_bytes").number(in_bytes)});
        point.only({"n", "size_bytes"});
    }
    fit.models = read_models(at.member("models"));
    at.only({"clusters", "terms", "covariance", "threshold_bytes", "below_threshold",
             "above_threshold", "least_over_wire", "buffer_bytes", "timeout_s", "smallest_n",
             "largest_n", "smallest_bytes", "largest_bytes", "fitted", "models"});
    return fit;
}

} // namespace

namespace models {
extern const CostModel congestion{
    .name = "congestion",
    .source = "docs/congestion.md",
    .help = "the library's alltoall with its time-outs, single times, on the clusters it was "
            "fitted on",
    .fitted_after = {"hockney", "links", "signature"},
    .fit = fit_alltoalls,
    .fields = {{"congestion",
                [](const Network& network) { return json_or_null(network.congestion, to_json); },
                [](Network& network, JsonCursor at) { network.congestion = read_congestion(at); }}},
    .lacks = [](const Network& network) -> std::string {
        return network.congestion ? ""
                                  : "a model of congestion, fitted from all-to-alls of at least "
                                    "two process counts and four sizes";
    },
    .unfit = [](const Network& network, const Clusters& clusters, std::string_view) -> std::string {
        const int fitted = network.congestion->clusters;
        return fitted == clusters.count()
                   ? ""
                   : fmt::format("its model of congestion is for {} cluster(s), and {} are {}",
                                 fitted, clusters.text(), clusters.count());
    },
    .library = congested_estimate,
    .library_caveats = congestion_caveats,
};
} // namespace models

} // namespace alltold

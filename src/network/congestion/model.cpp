// SPDX-License-Identifier: BSD-3-Clause
// The model of congestion as a fit found it.
#include <fmt/format.h>

#include "network/congestion/congestion_prediction.hpp"
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
        ALLTOLD_TRY(call, congested_call(network, point.clusters, size_bytes));
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
    ALLTOLD_TRY(fitted, fit_congestion(measured, prior));
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

ordered_json terms_to_json(const CongestionFit& fit) {
    ordered_json terms;
    auto coefficient = fit.coefficients.begin();
    for (const auto& name : names_of(fit.form))
        terms[name] = *coefficient++;
    return terms;
}

} // namespace

/// Below M, or from M on.
struct CongestionRegime {
    CongestionFit& fit;
    int slow = 0;
};

static void members(JsonMembers& json, CongestionRegime& regime) {
    auto& [fit, slow] = regime;
    json("spread", fit.spread[slow], above_zero);
    json("model_error", fit.model_error[slow], above_zero);
    json("timeouts_seen", fit.timeouts[slow].seen, from_zero);
    json("messages_exposed", fit.timeouts[slow].exposed, from_zero);
}

static void members(JsonMembers& json, CongestionFit::Fitted& point) {
    json("n", point.n, 2);
    json("size_bytes", point.size_bytes, in_bytes);
}

static void members(JsonMembers& json, CongestionFit& fit) {
    json("clusters", fit.clusters, 1);
    json.part(
        "terms", [&] { return terms_to_json(fit); },
        [&](JsonCursor at) { read_terms(fit, std::move(at)); });
    json.part(
        "covariance", [&] { return ordered_json(fit.covariance); },
        [&](JsonCursor at) { read_covariance(fit, std::move(at)); });
    json("threshold_bytes", fit.threshold_bytes, in_bytes);
    CongestionRegime below{fit, 0}, above{fit, 1};
    json("below_threshold", below);
    json("above_threshold", above);
    json("least_over_wire", fit.least_over_wire, above_zero);
    json("buffer_bytes", fit.buffer_bytes, in_bytes);
    json("timeout_s", fit.timeout_s, in_seconds);
    json("smallest_n", fit.smallest_n, 2);
    json("largest_n", fit.largest_n, fit.smallest_n);
    json("smallest_bytes", fit.smallest_bytes, in_bytes);
    json("largest_bytes", fit.largest_bytes, NumberRange{"bytes", fit.smallest_bytes});
    json("fitted", fit.fitted);
    json("models", fit.models);
}

namespace models {
extern const CostModel congestion{
    .name = "congestion",
    .source = "docs/congestion.md",
    .help = "the library's alltoall with its time-outs, single times, on the clusters it was "
            "fitted on",
    .fitted_after = {"hockney", "links", "signature"},
    .fit = fit_alltoalls,
    .fields = {parameter_field<&Network::congestion>("congestion")},
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

// SPDX-License-Identifier: BSD-3-Clause
// The contention signature as a fit found it.
#include "network/fitting.hpp"
#include "network/json/fields.hpp"
#include "network/links/port_fit.hpp"
#include "network/signature/signature_time.hpp"

#include <fmt/format.h>

namespace alltold {
namespace {

using nlohmann::ordered_json;

constexpr std::array saturations{std::pair{Saturation::saturated, "saturated"},
                                 std::pair{Saturation::not_saturated, "not saturated"},
                                 std::pair{Saturation::unknown, "unknown"}};

const char* saturation_name(Saturation saturation) {
    return std::ranges::find(saturations, saturation, [](const auto& row) { return row.first; })
        ->second;
}

Saturation read_saturation(JsonCursor at) {
    const auto name = at.text();
    for (const auto& [saturation, known] : saturations)
        if (name == known)
            return saturation;
    at.complain(
        fmt::format("expected \"saturated\", \"not saturated\" or \"unknown\", got \"{}\"", name));
    return Saturation::unknown;
}

/// Null without any.
ordered_json papers_to_json(const PaperParameters& papers) {
    ordered_json json;
    for (const auto* model : cost_models())
        if (model->contention)
            for (const auto& [key, range, interval, unfitted] : model->contention->parameters)
                if (const auto known = papers.find(key); known != papers.end())
                    json[std::string(key)] =
                        interval ? to_json(known->second) : ordered_json(known->second.value);
    return json;
}

/// Profiles from before a model was there lack its parameters.
PaperParameters read_papers(JsonCursor at) {
    PaperParameters papers;
    std::vector<std::string> keys;
    for (const auto* model : cost_models())
        if (model->contention)
            for (const auto& [key, range, interval, unfitted] : model->contention->parameters)
                if (auto value = at.optional_member(keys.emplace_back(key)))
                    papers.emplace(key, interval ? read_estimate(*value, range)
                                                 : Estimate::exact(value->number(range)));
    at.only(keys);
    return papers;
}

/// Those of the cluster's own ping-pongs if they surely have another beta than all clusters'
/// together, which are known better, or if the ports' rates are apart.
HockneyFit alpha_and_beta(Fitting& fitting, int cluster) {
    constexpr double certain = 0.1;
    const auto& all = *fitting.network.local;
    if (fitting.clusters.count() == 1)
        return all;
    if (const auto port = fit_port(fitting); port && port->cluster) {
        auto part = fitting.within(cluster);
        const auto own = fit_local(part);
        return own ? *own : all;
    }
    const auto own = fit_hockney(fitting.of_pairs("pingpong", cluster), fitting.seed);
    return own && own->beta_s_per_byte.relative_half_width() <= certain &&
                   !own->beta_s_per_byte.covers(all.beta_s_per_byte.value)
               ? *own
               : all;
}

Result<SignatureFit> fit_signature_of(Fitting& fitting, int cluster,
                                      std::span<const Series> series) {
    const auto& plogp = fitting.network.plogp;
    return fit_signature(series, alpha_and_beta(fitting, cluster), fitting.seed,
                         fitting.network.eager_limit_bytes, plogp ? &*plogp : nullptr);
}

/// Fits every cluster in which all-to-alls were measured. It is no failure to have measured none in
/// any but the first.
void fit_signatures(Fitting& fitting) {
    const auto of_first = fitting.alltoalls(0);
    if (!fitting.network.local)
        return fitting.refuse("alltoall",
                              "the signature needs alpha and beta within the cluster, and "
                              "those could not be fitted");
    if (of_first.empty())
        fitting.refuse("alltoall", "no all-to-all of the MPI library within one cluster was "
                                   "measured, or all of it is held out");
    else
        fitting.place("alltoall", fit_signature_of(fitting, 0, of_first), fitting.network.alltoall);
    for (int c = 1; c < fitting.clusters.count(); ++c) {
        const auto series = fitting.alltoalls(c);
        if (series.empty())
            continue;
        if (auto fit = fit_signature_of(fitting, c, series))
            fitting.network.alltoall_of_clusters.emplace(c, std::move(*fit));
        else
            fitting.refuse(fmt::format("alltoall of cluster {}", c), fit.error().message);
    }
}

} // namespace

static void members(JsonMembers& json, Hockney& network) {
    json("alpha_s", network.alpha_s, in_seconds);
    json("beta_s_per_byte", network.beta_s_per_byte, in_seconds_per_byte);
}

static void members(JsonMembers& json, SignatureFit& fit) {
    json("network", fit.network);
    json("gamma", fit.gamma, from_one);
    json("delta_s", fit.delta_s, in_seconds);
    json("threshold_bytes", fit.threshold_bytes, in_bytes);
    json.covariance(fit.covariance, {"gamma_gamma", "gamma_delta_s", "delta_delta_s2"});
    json("residual_relative", fit.residual_relative, from_zero);
    json("reference_n", fit.reference_n, 0);
    json("sizes_bytes", fit.sizes_bytes, in_bytes);
    json("smallest_bytes", fit.smallest_bytes, in_bytes);
    json("largest_bytes", fit.largest_bytes, NumberRange{"bytes", fit.smallest_bytes});
    json("models", fit.models);
    json.part(
        "saturation", [&] { return ordered_json(saturation_name(fit.saturation)); },
        [&](JsonCursor at) { fit.saturation = read_saturation(std::move(at)); });
    json("saturation_reason", fit.saturation_reason);
    json.unless(0., "growth", fit.growth, from_zero);
    json.part(
        "papers", [&] { return papers_to_json(fit.papers); },
        [&](JsonCursor at) { fit.papers = read_papers(std::move(at)); }, true);
}

namespace {

ordered_json others_to_json(const Network& network) {
    ordered_json list;
    for (const auto& [cluster, fit] : network.alltoall_of_clusters)
        list.push_back({{"cluster", cluster}, {"signature", as_json(fit)}});
    return list;
}

void read_others(Network& network, JsonCursor at) {
    for (auto item : at.items()) {
        auto cluster = item.member("cluster");
        SignatureFit fit;
        read_json(item.member("signature"), fit);
        if (!network.alltoall_of_clusters.emplace(cluster.whole_number(1), std::move(fit)).second)
            cluster.complain("a cluster that has a signature already");
        item.only({"cluster", "signature"});
    }
}

} // namespace

namespace models {
extern const CostModel signature{
    .name = "signature",
    .source = "SMT07 equation 5",
    .help = "the library's alltoall with the contention signature gamma, delta, M",
    .fitted_after = {"hockney", "plogp"},
    .fit = fit_signatures,
    .fields = {parameter_field<&Network::alltoall>("alltoall"),
               {"alltoall_of_clusters", others_to_json, read_others}},
    .lacks = lacks_signature,
    .library_in_cluster = signature_time,
    .library_caveats = signature_caveats,
};
} // namespace models

} // namespace alltold

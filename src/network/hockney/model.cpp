// SPDX-License-Identifier: BSD-3-Clause
// alpha and beta as a fit found them.
#include <algorithm>

#include <fmt/format.h>

#include "core/median.hpp"
#include "core/units.hpp"
#include "network/capacity.hpp"
#include "network/cost_model.hpp"
#include "network/fitting.hpp"
#include "network/json/fields.hpp"
#include "network/links/port_fit.hpp"
#include "network/plogp/plogp_ends.hpp"

namespace alltold {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const HockneyFit& fit) {
    return {{"alpha_s", to_json(fit.alpha_s)},
            {"beta_s_per_byte", to_json(fit.beta_s_per_byte)},
            {"latency_s", to_json(fit.latency_s)},
            {"covariance",
             {{"alpha_alpha_s2", fit.covariance[0]},
              {"alpha_beta_s2_per_byte", fit.covariance[1]},
              {"beta_beta_s2_per_byte2", fit.covariance[2]}}},
            {"residual_relative", fit.residual_relative},
            {"smallest_bytes", fit.smallest_bytes},
            {"largest_bytes", fit.largest_bytes}};
}

HockneyFit read_hockney(JsonCursor at) {
    HockneyFit fit;
    fit.alpha_s = read_estimate(at.member("alpha_s"), in_seconds);
    fit.beta_s_per_byte = read_estimate(at.member("beta_s_per_byte"), in_seconds_per_byte);
    fit.latency_s = read_estimate(at.member("latency_s"), in_seconds);
    fit.covariance =
        read_covariance(at.member("covariance"),
                        {"alpha_alpha_s2", "alpha_beta_s2_per_byte", "beta_beta_s2_per_byte2"});
    fit.residual_relative = at.member("residual_relative").number(from_zero);
    fit.smallest_bytes = at.member("smallest_bytes").number(in_bytes);
    fit.largest_bytes = at.member("largest_bytes").number({"bytes", fit.smallest_bytes});
    at.only({"alpha_s", "beta_s_per_byte", "latency_s", "covariance", "residual_relative",
             "smallest_bytes", "largest_bytes"});
    return fit;
}

/// A slope less certain than this does not count beside the port's rate.
constexpr double certain = 0.1;

/// Ping-pongs within clusters. The port's rate is one quantity: where their slope is not known as
/// well, or excludes it, as a line through sizes that no line fits does, beta is that rate's.
Result<HockneyFit> fit_local(Fitting& fitting) {
    const auto series = fitting.of_pairs("pingpong", true);
    auto own = fit_hockney(series, fitting.seed);
    const auto port = series.empty() ? Result<PortFit>(refused("")) : fit_port(fitting);
    if (!port)
        return own;
    const auto& rate = port->goodput_bytes_per_s;
    const Estimate beta{1 / rate.value, 1 / rate.high, 1 / rate.low};
    if (own && own->beta_s_per_byte.covers(beta.value) &&
        own->beta_s_per_byte.relative_half_width() <= certain)
        return own;
    auto beside = fit_alpha(series, beta, fitting.seed);
    return beside ? beside : own;
}

/// The median limit that the searches found, in bytes, from the lowest to the highest. The limit is
/// the library's own constant: any spread is an error of the search.
Result<Estimate> fit_eager_limit(const PointSamples& searches) {
    const auto limits_bytes = searches.values();
    const auto most_bytes = static_cast<double>(searches.point.size_bytes);
    if (limits_bytes.empty())
        return refused("no search for it was finished");
    const auto [lowest, highest] = std::ranges::minmax(limits_bytes);
    const double limit = median(limits_bytes);
    if (limit >= most_bytes)
        return refused(fmt::format("no message that was tried, up to {} or a quarter of a second, "
                                   "waits for its receive",
                                   format_size(most_bytes)));
    return Estimate{limit, lowest, highest};
}

/// Ping-pongs within clusters, and between them, and the eager limit.
void fit_pingpongs(Fitting& fitting) {
    fitting.place("local", fit_local(fitting), fitting.network.local);
    if (fitting.clusters.count() > 1)
        fitting.place("inter_cluster",
                      fit_hockney(fitting.of_pairs("pingpong", false), fitting.seed),
                      fitting.network.inter_cluster);
    for (const auto* searches : fitting.sampled("eager"))
        fitting.place("eager_limit", fit_eager_limit(*searches), fitting.network.eager_limit_bytes);
}

} // namespace

namespace models {
extern const CostModel hockney{
    .name = "hockney",
    .source = "SMT07 section 3",
    .help = "algorithms, as by pLogP with L = 0 and g(m) = alpha + m beta",
    .fit = fit_pingpongs,
    .fields = {{"local",
                [](const Network& network) { return json_or_null(network.local, to_json); },
                [](Network& network, JsonCursor at) { network.local = read_hockney(at); }},
               {"inter_cluster",
                [](const Network& network) { return json_or_null(network.inter_cluster, to_json); },
                [](Network& network, JsonCursor at) { network.inter_cluster = read_hockney(at); }},
               {"eager_limit_bytes",
                [](const Network& network) {
                    return json_or_null(network.eager_limit_bytes, alltold::to_json);
                },
                [](Network& network, JsonCursor at) {
                    network.eager_limit_bytes = read_estimate(at, in_bytes);
                }}},
    .lacks = lacks_alpha_and_beta,
    .simulated =
        [](const Network& network, bool) {
            const auto fit = local_network(network);
            return with_ends(plogp_of(fit, &Estimate::value), plogp_of(fit, &Estimate::low),
                             plogp_of(fit, &Estimate::high));
        },
    .algorithm_caveat = "pLogP from alpha and beta: L = 0, g(m) = alpha + m beta",
    .largest_bytes = [](const Network& network) { return local_network(network).largest_bytes; },
};
} // namespace models

} // namespace alltold

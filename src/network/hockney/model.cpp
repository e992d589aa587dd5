// SPDX-License-Identifier: BSD-3-Clause
// alpha and beta as a fit found them.
#include <fmt/format.h>

#include "core/units.hpp"
#include "network/json/fields.hpp"
#include "network/links/port_fit.hpp"
#include "network/plogp/plogp_ends.hpp"

namespace alltold {

static void members(JsonMembers& json, HockneyFit& fit) {
    json("alpha_s", fit.alpha_s, in_seconds);
    json("beta_s_per_byte", fit.beta_s_per_byte, in_seconds_per_byte);
    json("latency_s", fit.latency_s, in_seconds);
    json.covariance(fit.covariance,
                    {"alpha_alpha_s2", "alpha_beta_s2_per_byte", "beta_beta_s2_per_byte2"});
    json("residual_relative", fit.residual_relative, from_zero);
    json("smallest_bytes", fit.smallest_bytes, in_bytes);
    json("largest_bytes", fit.largest_bytes, NumberRange{"bytes", fit.smallest_bytes});
}

namespace {

/// A slope less certain than this does not count beside the port's rate.
constexpr double certain = 0.1;

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

Result<HockneyFit> fit_local(Fitting& fitting) {
    const auto port = fit_port(fitting);
    const auto series = port && port->cluster ? fitting.of_pairs("pingpong", *port->cluster)
                                              : fitting.of_pairs("pingpong", true);
    auto own = fit_hockney(series, fitting.seed);
    if (!port || series.empty())
        return own;
    const auto rate = port->of_pair.value_or(port->goodput_bytes_per_s);
    const Estimate beta{1 / rate.value, 1 / rate.high, 1 / rate.low};
    if (own && own->beta_s_per_byte.covers(beta.value) &&
        own->beta_s_per_byte.relative_half_width() <= certain)
        return own;
    auto beside = fit_alpha(series, beta, fitting.seed);
    return beside ? beside : own;
}

namespace models {
extern const CostModel hockney{
    .name = "hockney",
    .source = "SMT07 section 3",
    .help = "algorithms, as by pLogP with L = 0 and g(m) = alpha + m beta",
    .fit = fit_pingpongs,
    .fields = {parameter_field<&Network::local>("local"),
               parameter_field<&Network::inter_cluster>("inter_cluster"),
               {"eager_limit_bytes",
                [](const Network& network) {
                    const auto& limit_bytes = network.eager_limit_bytes;
                    return limit_bytes ? to_json(*limit_bytes) : nlohmann::ordered_json();
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

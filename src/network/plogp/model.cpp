// SPDX-License-Identifier: BSD-3-Clause
// The parameters of pLogP.
#include "network/fitting.hpp"
#include "network/json/fields.hpp"
#include "network/plogp/plogp_ends.hpp"
#include "network/plogp/plogp_fit.hpp"

namespace alltold {

static void members(JsonMembers& json, PLogP& plogp) {
    json("L_s", plogp.L_s, in_seconds);
    json("g_s", plogp.g_s, true);
    json("o_s", plogp.o_s);
    json("o_r", plogp.o_r);
}

namespace {

void fit_plogp_samples(Fitting& fitting) {
    const PLogPSamples samples{
        fitting.of_pairs("plogp.send", true), fitting.of_pairs("plogp.receive", true),
        fitting.of_pairs("plogp.gap", true), fitting.of_pairs("plogp.round_trip", true)};
    // Refuse nothing if the campaign has no pLogP samples.
    if (samples.send.empty() && samples.receive.empty() && samples.gap.empty())
        return;
    auto fit = fit_plogp(samples, fitting.seed);
    if (!fit)
        return fitting.refuse("plogp", fit.error().message);
    fitting.network.plogp = std::move(fit->network);
    for (auto& why : fit->refused)
        fitting.refuse("plogp", std::move(why));
}

} // namespace

namespace models {
extern const CostModel plogp{
    .name = "plogp",
    .source = "Kielmann et al. 2000, BM04",
    .help = "algorithms within one cluster, by closed form where one is exact",
    .fit = fit_plogp_samples,
    .fields = {parameter_field<&Network::plogp>("plogp")},
    .lacks = [](const Network& network) -> std::string {
        return network.plogp ? "" : "the parameters of pLogP";
    },
    .simulated =
        [](const Network& network, bool) {
            return with_ends(*network.plogp, low_end(*network.plogp), high_end(*network.plogp));
        },
    .largest_bytes =
        [](const Network& network) { return network.plogp->g_s.points().back().size_bytes; },
};
} // namespace models

} // namespace alltold

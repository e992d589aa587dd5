// SPDX-License-Identifier: BSD-3-Clause
// A contention ratio without delta.
#include <algorithm>

#include "network/cost_model.hpp"
#include "network/gamma/contention_ratio.hpp"
#include "network/signature/alltoall_run.hpp"
#include "network/signature/signature_time.hpp"

namespace alltold {
namespace {

/// Equation 4's own least squares where they are known: with delta, gamma is another.
const Estimate& gamma_of(const SignatureFit& fit) {
    const auto own = fit.papers.find("gamma");
    return own == fit.papers.end() ? fit.gamma : own->second;
}

Estimate gamma_time(const Network& network, int cluster, int n, double size_bytes) {
    const auto& fit = network.signature_in(cluster);
    const auto time_s = [&](double gamma) {
        return contention_ratio_time_s(fit.network, gamma, n, size_bytes);
    };
    const auto& gamma = gamma_of(fit);
    return {time_s(gamma.value), time_s(gamma.low), time_s(gamma.high)};
}

std::vector<std::string> caveats(const Network& network, const Clusters& clusters,
                                 double size_bytes) {
    auto all = signature_caveats(network, clusters, size_bytes);
    if (!network.alltoall->papers.contains("gamma") && network.alltoall->delta_s.value > 0)
        all.emplace_back("gamma was fitted together with delta, which equation 4 leaves out");
    return all;
}

} // namespace

namespace models {
extern const CostModel gamma{
    .name = "gamma",
    .source = "SMT07 equation 4",
    .help = "the library's alltoall with only a contention ratio, fitted without delta",
    .preference = 40,
    .lacks = lacks_signature,
    .library_in_cluster = gamma_time,
    .library_caveats = caveats,
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
} // namespace models

} // namespace alltold

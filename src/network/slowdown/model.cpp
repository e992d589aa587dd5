// SPDX-License-Identifier: BSD-3-Clause
// Bruck's slow-down, fitted beside the signature.
#include "network/cost_model.hpp"
#include "network/signature/alltoall_run.hpp"
#include "network/signature/signature_time.hpp"
#include "network/slowdown/slowdown.hpp"

namespace alltold {

namespace models {
extern const CostModel slowdown{
    .name = "slowdown",
    .source = "SMT07 section 2, after Bruck et al. 1997",
    .help = "the library's alltoall with start-ups and bytes slowed down alike",
    .preference = 42,
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
} // namespace models

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Labarta's buses, fitted beside the signature.
#include <algorithm>
#include <cmath>

#include "network/cost_model.hpp"
#include "network/signature/alltoall_run.hpp"
#include "network/signature/signature_time.hpp"
#include "network/slowdown/slowdown.hpp"
#include "network/waves/waves.hpp"

namespace alltold {

namespace models {
extern const CostModel waves{
    .name = "waves",
    .source = "SMT07 section 2, after Labarta et al. 1996",
    .help = "the library's alltoall in waves over as many buses as fit",
    .preference = 44,
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
} // namespace models

} // namespace alltold

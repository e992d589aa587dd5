// SPDX-License-Identifier: BSD-3-Clause
// Chun's latency by message size, fitted beside the signature.
#include "network/cost_model.hpp"
#include "network/signature/alltoall_run.hpp"
#include "network/signature/signature_time.hpp"

namespace alltold {
namespace {

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

} // namespace

namespace models {
extern const CostModel latency{
    .name = "latency",
    .source = "SMT07 section 2, after Chun 2001",
    .help = "the library's alltoall with contention as a latency that steps with the size",
    .preference = 46,
    .lacks = lacks_contention<latency>,
    .library_in_cluster = contention_time<latency>,
    .library_caveats = signature_caveats,
    .contention = ContentionModel{.parameters = {{"latency_s", in_seconds, false, 0},
                                                 {"latency_from_bytes", in_bytes, false, 0}},
                                  .fit = fit_latency,
                                  .time_s = latency_time_s},
};
} // namespace models

} // namespace alltold

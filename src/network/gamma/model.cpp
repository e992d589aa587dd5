// SPDX-License-Identifier: BSD-3-Clause
// The signature's gamma alone.
#include <algorithm>

#include "network/cost_model.hpp"
#include "network/gamma/contention_ratio.hpp"
#include "network/signature/signature_time.hpp"

namespace alltold {
namespace {

Estimate gamma_time(const Network& network, int n, double size_bytes) {
    const auto& fit = *network.alltoall;
    const auto time_s = [&](double gamma) {
        return contention_ratio_time_s(fit.network, gamma, n, size_bytes);
    };
    return {time_s(fit.gamma.value), time_s(std::max(0.0, fit.gamma.low)), time_s(fit.gamma.high)};
}

} // namespace

namespace models {
extern const CostModel gamma{
    .name = "gamma",
    .source = "SMT07 equation 4",
    .help = "the library's alltoall with the signature's gamma, without delta",
    .preference = 40,
    .lacks = lacks_signature,
    .library_in_cluster = gamma_time,
    .library_caveats = signature_caveats,
};
} // namespace models

} // namespace alltold

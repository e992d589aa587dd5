// SPDX-License-Identifier: BSD-3-Clause
// BM04's gamma between its bounds, fitted beside the signature.
#include "network/bm04/alltoall_bounds.hpp"
#include "network/cost_model.hpp"
#include "network/signature/signature_time.hpp"

namespace alltold {
namespace {

std::string lacks_gamma_between(const Network& network) {
    const auto lacking = lacks_paper_models(network);
    if (!lacking.empty())
        return lacking;
    return network.plogp && network.alltoall->papers->bm04_gamma > 0
               ? ""
               : "pLogP with a gamma between its bounds";
}

Estimate time_between(const Network& network, int cluster, int n, double size_bytes) {
    const double gamma = signature_in(network, cluster).papers->bm04_gamma;
    return Estimate::exact(alltoall::between_s(*network.plogp, n, size_bytes, gamma));
}

} // namespace

namespace models {
extern const CostModel bm04{
    .name = "bm04",
    .source = "BM04 section 5.1",
    .help = "the library's alltoall between pLogP's two bounds, by a gamma of its own",
    .preference = 48,
    .lacks = lacks_gamma_between,
    .library_in_cluster = time_between,
    .library_caveats = signature_caveats,
};
} // namespace models

} // namespace alltold

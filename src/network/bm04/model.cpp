// SPDX-License-Identifier: BSD-3-Clause
// BM04's gamma between its bounds, fitted beside the signature.
#include <algorithm>

#include "network/bm04/alltoall_bounds.hpp"
#include "network/cost_model.hpp"
#include "network/signature/alltoall_run.hpp"
#include "network/signature/signature_time.hpp"

namespace alltold {
namespace {

/// Weighs what lies between the bounds by the run's weights; 0 where nothing does, and where pLogP
/// is not known.
double gamma_between(const AlltoallRun& run) {
    if (!run.plogp)
        return 0;
    Eigen::VectorXd above_s = run.message_s(), between_s(above_s.size());
    for (Eigen::Index i = 0; i < above_s.size(); ++i) {
        const double m = run.fit.sizes()[static_cast<std::size_t>(i)];
        const double lower_s = alltoall::lower_s(*run.plogp, run.n, m) / (run.n - 1);
        above_s(i) -= lower_s;
        between_s(i) = alltoall::upper_s(*run.plogp, run.n, m) / (run.n - 1) - lower_s;
    }
    return between_s.squaredNorm() > 0 ? std::max(0.0, run.fit.factor(above_s, between_s)) : 0;
}

} // namespace

namespace models {
extern const CostModel bm04{
    .name = "bm04",
    .source = "BM04 section 5.1",
    .help = "the library's alltoall between pLogP's two bounds, by a gamma of its own",
    .preference = 48,
    .lacks = [](const Network& network) -> std::string {
        if (auto lacking = lacks_contention<bm04>(network); !lacking.empty())
            return lacking;
        return network.plogp && network.alltoall->papers.at("bm04_gamma").value > 0
                   ? ""
                   : "pLogP with a gamma between its bounds";
    },
    .library_in_cluster = contention_time<bm04>,
    .library_caveats = signature_caveats,
    .contention =
        ContentionModel{.parameters = {{"bm04_gamma", from_zero, false, 0}},
                        .fit = [](const AlltoallRun& run) -> PaperParameters {
                            return {{"bm04_gamma", Estimate::exact(gamma_between(run))}};
                        },
                        .time_s =
                            [](const PaperParameters& parameters, const Hockney&,
                               const PLogP* plogp, int n, double size_bytes) {
                                return alltoall::between_s(*plogp, n, size_bytes,
                                                           parameters.at("bm04_gamma").value);
                            },
                        .needs_plogp = true},
};
} // namespace models

} // namespace alltold

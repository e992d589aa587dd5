// SPDX-License-Identifier: BSD-3-Clause
// One least squares factor.
#include "network/bm04/fit_gamma.hpp"

#include <algorithm>

#include "network/bm04/alltoall_bounds.hpp"

namespace alltold {

double fit_bm04_gamma(const StepFit& fit, const Eigen::VectorXd& message_s, const PLogP& plogp,
                      int n) {
    Eigen::VectorXd above(message_s.size()), between(message_s.size());
    for (Eigen::Index i = 0; i < message_s.size(); ++i) {
        const double m = fit.sizes()[static_cast<std::size_t>(i)];
        const double lower_s = alltoall::lower_s(plogp, n, m) / (n - 1);
        above(i) = message_s(i) - lower_s;
        between(i) = alltoall::upper_s(plogp, n, m) / (n - 1) - lower_s;
    }
    return between.squaredNorm() > 0 ? std::max(0.0, fit.factor(above, between)) : 0;
}

} // namespace alltold

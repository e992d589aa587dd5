// SPDX-License-Identifier: BSD-3-Clause
// BM04's gamma between its bounds, from a measured all-to-all.
#pragma once

#include "network/fit/step_fit.hpp"
#include "network/plogp/plogp.hpp"

namespace alltold {

/// Weighs what lies between the bounds by the weights of `fit`, from T/(n-1), `message_s`, which it
/// observes; 0 where nothing does.
double fit_bm04_gamma(const StepFit& fit, const Eigen::VectorXd& message_s, const PLogP& plogp,
                      int n);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// The papers' models from one run.
#pragma once

#include "network/fit/step_fit.hpp"
#include "network/signature/paper_models.hpp"

namespace alltold {

/// All of them by the weights of `fit` from T/(n-1) - alpha, `excess`, which it observes; gamma and
/// the slow-down at least 1, one bus per process at most. `plogp` may be null.
PaperModels fit_paper_models(const StepFit& fit, const Eigen::VectorXd& excess,
                             const Hockney& network, int n, const PLogP* plogp);

} // namespace alltold

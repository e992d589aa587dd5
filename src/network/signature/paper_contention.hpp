// SPDX-License-Identifier: BSD-3-Clause
// The papers' two models of contention from one step fit.
#pragma once

#include "network/fit/step_fit.hpp"
#include "network/signature/signature.hpp"

namespace alltold {

/// The signature (SMT07, equation 5), and gamma alone, without a step.
struct PaperContention {
    Signature signature;
    double gamma = 1;
};

/// Both from what sizes cost beyond the start-up, seconds per receiver: `excess` as `fit` observes
/// it; `beta_s_per_byte` above 0 is the least slope.
inline PaperContention paper_contention(const StepFit& fit, const Eigen::VectorXd& excess,
                                        double beta_s_per_byte) {
    const auto chosen = fit.choose(excess, beta_s_per_byte);
    PaperContention result;
    result.signature.gamma = chosen.slope / beta_s_per_byte;
    result.signature.delta_s = chosen.delta_s;
    result.signature.threshold_bytes = chosen.step ? fit.sizes()[*chosen.step] : 0;
    result.gamma = fit.solve(excess, beta_s_per_byte, std::nullopt).slope / beta_s_per_byte;
    return result;
}

} // namespace alltold

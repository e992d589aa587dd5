// SPDX-License-Identifier: BSD-3-Clause
// One measured run of all-to-alls, as models of contention are fitted to it.
#pragma once

#include "network/fit/step_fit.hpp"
#include "network/hockney/hockney.hpp"
#include "network/plogp/plogp.hpp"
#include "network/signature/signature.hpp"

namespace alltold {

/// All-to-alls of n >= 2 processes at the sizes of `fit`, whose covariance weighs them.
struct AlltoallRun {
    const StepFit& fit;
    const Eigen::VectorXd& excess_s; ///< T/(n-1) - alpha of each size, seconds
    const Hockney& network;
    int n = 2;
    const PLogP* plogp = nullptr; ///< null where it is not known

    /// T/(n-1) of each size, seconds.
    Eigen::VectorXd message_s() const { return excess_s.array() + network.alpha_s; }
    /// m beta of each size, seconds.
    Eigen::VectorXd bytes_s() const {
        return network.beta_s_per_byte *
               Eigen::Map<const Eigen::VectorXd>(fit.sizes().data(), excess_s.size());
    }
};

/// A solution for slope gamma beta and delta as a signature; M is the first size that pays delta.
inline Signature signature_of(const StepSolution& solution, const AlltoallRun& run) {
    return {solution.slope / run.network.beta_s_per_byte, solution.delta_s,
            solution.step ? run.fit.sizes()[*solution.step] : 0};
}

} // namespace alltold

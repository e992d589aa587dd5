// SPDX-License-Identifier: BSD-3-Clause
// Errors of the papers' models on sizes they were not fitted to.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>

#include "network/fit/cells.hpp"
#include "network/hockney/hockney.hpp"
#include "network/signature/signature_fit.hpp"

namespace alltold {

/// Leave-one-out errors of SMT07 equations 5 ("signature"), 4 ("gamma"), 1 ("linear") and 3
/// ("clement") over the sizes of one n >= 2, best median first. The first two are fitted anew
/// without the size left out, with its part of `covariance` (of T/(n-1)); the last two have nothing
/// to fit. Four cells or more.
std::vector<ModelScore> score_models(std::span<const Cell> cells, int n, const Hockney& network,
                                     const Eigen::MatrixXd& covariance);

/// `scores` with the median and the worst of each one's relative errors (as many lists as scores,
/// none empty), best median first.
std::vector<ModelScore> scored_by(std::vector<ModelScore> scores,
                                  std::span<const std::vector<double>> errors);

} // namespace alltold

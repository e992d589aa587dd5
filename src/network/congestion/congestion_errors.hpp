// SPDX-License-Identifier: BSD-3-Clause
// Errors of the congestion model and of the papers' models on the same points left out.
#pragma once

#include <span>
#include <vector>

#include "network/congestion/congestion_fit.hpp"

namespace alltold {

/// Leaves out each n, then each m; fits every model to the rest, the choice of form and of M
/// included, and predicts what was left out; best median of |predicted / measured median - 1|
/// first. "signature" (SMT07 equation 5) and "gamma" (equation 4) are fitted at the largest n of
/// the rest, as the paper does; "linear" and "clement" have nothing to fit. Unless `prior` says
/// that there is one cluster, CongestedSeries::others take the place of these: they were never
/// fitted to such calls.
std::vector<ModelError> errors_of_congestion(const CongestionFit& fit,
                                             std::span<const CongestedSeries> measured,
                                             const CongestionPrior& prior);

} // namespace alltold

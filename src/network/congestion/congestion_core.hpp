// SPDX-License-Identifier: BSD-3-Clause
// T0, the time without time-outs: least squares over all points, the place of M, the form.
#pragma once

#include "network/congestion/congestion_fit.hpp"

namespace alltold {

/// One point: the call and the median of its repetitions without time-outs.
struct CorePoint {
    CongestedCall call;
    double centre_s = 0; ///< above 0
};

/// Coefficients, covariance, M and the model's errors of the best fit of that form; nothing where
/// there are too few points. Other fields are left as they are.
bool fit_core(CongestionFit& fit, std::span<const CorePoint> points, const CongestionForm& form);

/// The best form: that which predicts points left out, each n and each m in turn, best; a form with
/// more terms must do so by a tenth better.
bool choose_core(CongestionFit& fit, std::span<const CorePoint> points);

/// The points without each n in turn, then without each m: indices of those left out, one group a
/// turn; of many points, several n or m together. One n or one m alone is not left out.
std::vector<std::vector<std::size_t>> folds(std::span<const CorePoint> points);

/// The points without time-outs: medians of the repetitions that more likely than not did not end
/// with one. Sets `fit.timeouts`, `fit.timeout_s` and `fit.spread` on the way: expectation and
/// maximisation in turn, over the single times below M and from M on (below M, where fit.form does
/// not slow). The time-out's length is the most likely one between once and twice `least_timeout_s`
/// where at least three were seen, else 1.1 times that.
std::vector<CorePoint> fit_timeouts(CongestionFit& fit, std::span<const CongestedSeries> measured,
                                    double least_timeout_s);

} // namespace alltold

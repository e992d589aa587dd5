// SPDX-License-Identifier: BSD-3-Clause
// From measured over modelled times to a residual whose intervals hold.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.hpp"
#include "core/statistics.hpp"
#include "network/corrections/residual.hpp"

namespace alltold {

/// What leaving a group out and predicting it from the others showed.
struct LeftOut {
    int calls = 0;           ///< 0: too few to leave any out
    double median_error = 0; ///< of |predicted / measured - 1|
    double worst_error = 0;
    int covered = 0; ///< inside the 90 % interval
};

struct ResidualFit {
    ResidualKernel kernel;
    /// Half a 90 % interval of log time, in standard deviations of Residual::at.
    double reach = normal_reach;
    LeftOut left_out;
    double left_out_score = 0;          ///< mean log density of what was left out; more is better
    std::vector<bool> outliers = {};    ///< for each measured ratio, MeasuredRatio::outlier
    std::vector<double> distances = {}; ///< Residual::left_out_distances
};

/// Finds the kernel for calls of one collective by maximum marginal likelihood (with wide priors,
/// since some parameters may hardly matter), then predicts the calls on each number of ranks at
/// each size from those on fewer ranks and at other sizes, and sets `reach` to what 95 % of them
/// need, if that is more than normal: errors of calls of one size are correlated, so that 90 % of
/// few sizes would be too optimistic. Where fewer than twelve calls can be left out, `reach` is
/// that of Student's t with four degrees of freedom, and the score is the likelihood of what was
/// measured. Of `suspects`, places in `measured`, those that are more likely outliers than not are
/// set aside, at most a tenth of the calls. Refuses (status `no`) an empty list.
Result<ResidualFit> fit_residual(std::vector<MeasuredRatio> measured,
                                 const std::vector<std::size_t>& suspects = {});

/// Half a 90 % interval, by the distances of calls that were left out one at a time: at least the
/// normal one, and Student's with four degrees of freedom for fewer than twelve. The kernels of few
/// calls are about as wrong for one collective as for another, so that intervals take the distances
/// of all: a quantile of one collective's is its worst call. With a reach for each collective the
/// median half-width of 916 held-out calls of 13 labs was 19.2 % and 93.3 % were inside, with one
/// for all 16.4 % and 91.8 %.
double reach_of(const std::vector<double>& distances);

} // namespace alltold

// SPDX-License-Identifier: BSD-3-Clause
// Corrections of the models from measured collectives of a campaign.
#pragma once

#include "network/fitting.hpp"

namespace alltold {

class SimulationCache;

/// From so many repetitions on their own scatter is trusted.
inline constexpr std::size_t enough_repetitions = 6;

/// A call with the times of all its repetitions.
struct RepeatedCall {
    const Algorithm* algorithm = nullptr; ///< null: the MPI library's own
    Parameters parameters;                ///< without clusters
    Clusters clusters{{2}};
    std::uint64_t size_bytes = 0; ///< m
    std::vector<double> times_s;  ///< one or more, above 0
};

/// The measured calls of one correction.
struct CallsToCorrect {
    CorrectedCalls of;
    std::vector<MeasuredCall> calls;
};

/// The medians of calls that `of` describes, still without modelled times. The variance of a median
/// is at least that of the usual scatter, since few repetitions may agree by chance. A repetition
/// that takes most of `timeout_s` longer than the quickest counts as timed out.
std::vector<MeasuredCall> medians_of(const std::vector<RepeatedCall>& calls,
                                     double timeout_s = LinkNetwork().timeout_s);

/// Cost of a TCP time-out on this network, in seconds.
double timeout_of(const Network& network);

/// All measured broadcasts, scatters, gathers, all-to-alls and so on, and all-to-alls from their
/// second start, by what shares a correction; still without modelled times.
std::vector<CallsToCorrect> calls_to_correct(const Fitting& fitting);

/// The baselines to try for these calls on `clusters`: where queues may overflow and a model knows
/// them, only those that do.
std::vector<Baseline> baselines_of(const CorrectedCalls& of, const Network& network,
                                   const Clusters& clusters);

/// What the baseline says of a call; a time of 0 where it says nothing.
ModelTime modelled_time(const Network& network, const Baseline& baseline, Collective collective,
                        const Algorithm* algorithm, const Parameters& parameters,
                        const Clusters& clusters, std::uint64_t size_bytes,
                        SimulationCache& simulations);

/// The correction from `calls`, with the baseline that best predicts calls left out (fit_residual)
/// among those of `baselines` that can time all of them. Refuses (status `no`) where there is none,
/// or no call.
Result<Correction> fit_correction(const CorrectedCalls& of, const std::vector<MeasuredCall>& calls,
                                  const Network& network, const std::vector<Baseline>& baselines,
                                  SimulationCache& simulations);

/// Sets `network.corrections` from measured broadcasts, scatters,
/// gathers and all-to-alls, once all models are fitted: for each collective, and for all-to-alls
/// from their second start, on one cluster and on several, the library's and ours apart. Refuses by
/// name what cannot be fitted. Adds to `simulations`, which begin empty, those on its network.
void fit_corrections(Fitting& fitting, SimulationCache& simulations);

} // namespace alltold
